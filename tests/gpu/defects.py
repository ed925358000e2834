# SPDX-License-Identifier: MIT
"""A small GPT in training with one planted defect: defects.py DEFECT [STEPS].

Each step is in a range "step", with "data", "forward" (in it "layer N"), "backward", "optimizer"
and "log". DEFECT: healthy (its GPU, if fast, waits for the CPU); data (30 ms of sleep in "data");
tiny (one sequence of 32 words); fp32; pageable (64 MB of pageable memory are copied in "data");
cache (torch.cuda.empty_cache() in each step); gc (garbage collection outside of ranges); loop (an
optimizer with kernels for each tensor); slow-step (100 ms of sleep in step 37). Prints the median
step in us. Exits with 77 if PyTorch, or a GPU, is missing.
"""
import contextlib
import gc
import sys
import time

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError:
    sys.exit(77)
if not torch.cuda.is_available():
    sys.exit(77)

WIDTH, HEADS, LAYERS, WORDS = 768, 12, 12, 8192


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        shape = (batch, length, 3, HEADS, WIDTH // HEADS)
        q, k, v = self.qkv(self.before(x)).view(shape).permute(2, 0, 3, 1, 4)
        heads = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(heads.transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.down(functional.gelu(self.up(self.between(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(512, WIDTH)
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS)

    def forward(self, words):
        x = self.words(words) + self.places(torch.arange(words.shape[1], device=words.device))
        for number, block in enumerate(self.blocks):
            with torch.cuda.nvtx.range("layer %d" % number):
                x = block(x)
        return self.head(self.norm(x))


def load(defect, step, data, big):
    if defect == "data":
        time.sleep(0.030)
    if defect == "slow-step" and step == 37:
        time.sleep(0.100)
    if defect == "pageable":
        big.cuda()
    return data[step % len(data)].cuda(non_blocking=True)


def train(defect, steps):
    span = torch.cuda.nvtx.range
    torch.manual_seed(0)
    shape = (1, 33) if defect == "tiny" else (8, 513)
    model = GPT().cuda()
    ways = {"foreach": False} if defect == "loop" else {"fused": True}
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, **ways)
    data, big = torch.randint(0, WORDS, (64,) + shape), torch.randn(16 << 20)
    precision = contextlib.nullcontext() if defect == "fp32" else torch.autocast("cuda", torch.bfloat16)
    times = []
    for step in range(steps):
        begin = time.perf_counter_ns()
        with span("step"):
            with span("data"):
                words = load(defect, step, data, big)
            with span("forward"), precision:
                scores = model(words[:, :-1])
                loss = functional.cross_entropy(scores.float().view(-1, WORDS), words[:, 1:].reshape(-1))
            with span("backward"):
                optimizer.zero_grad()
                loss.backward()
            with span("optimizer"):
                optimizer.step()
            if defect == "cache":
                torch.cuda.empty_cache()
            if defect == "gc":
                garbage = [[object()] for _ in range(300000)]
                gc.collect()
                del garbage
            with span("log"):
                if step % 5 == 0:
                    loss.item()
        times.append(time.perf_counter_ns() - begin)
    torch.cuda.synchronize()
    print("us_per_step %d" % (sorted(times)[steps // 2] / 1000))


train(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60)
