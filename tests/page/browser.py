# SPDX-License-Identifier: MIT
"""Opens a file in a headless Chromium, over its debugging pipe, and prints the result.

browser.py CHROMIUM PAGE [--no-script] [--run SCRIPT]
           [--shot OUT.png [--scheme dark] [--at SELECTOR] [--size WxH]] [--media print]
prints JSON: requests (without the page itself), errors (console and policy), load_ms, text, and the
result of SCRIPT (JavaScript).
"""
import argparse
import base64
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def take_pipes():
            # Out of the way first: either may be 3 or 4 already.
            reading, writing = os.dup(to_read), os.dup(from_write)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", "--hide-scrollbars", "--user-data-dir=" + self.folder.name,
             "about:blank"],
            preexec_fn=take_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.input, self.output = to_write, from_read
        self.bytes = b""
        self.number = 0
        self.events = []
        self.session = None

    def read(self, deadline):
        while b"\0" not in self.bytes:
            if not select.select([self.output], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.output, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.bytes += more
        message, _, self.bytes = self.bytes.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.input, text):]
        deadline = time.monotonic() + 120
        while True:
            answer = self.read(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(domain + ".enable")

    def wait_for(self, method):
        deadline = time.monotonic() + 120
        while not any(event["method"] == method for event in self.events):
            event = self.read(deadline)
            if "method" in event:
                self.events.append(event)

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", "an exception"))
        return result["result"].get("value")

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError, RuntimeError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


def find_errors(events):
    errors = []
    for event in events:
        parameters = event["params"]
        if event["method"] == "Runtime.exceptionThrown":
            errors.append(parameters["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            errors.append(str(parameters["args"]))
        elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            errors.append(parameters["entry"]["text"])
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("page")
    parser.add_argument("--no-script", action="store_true")
    parser.add_argument("--run")
    parser.add_argument("--shot")
    parser.add_argument("--print")
    parser.add_argument("--scheme", default="light")
    parser.add_argument("--media", default="")
    parser.add_argument("--at")
    parser.add_argument("--size", default="1400x1000")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    url = "file://" + os.path.realpath(options.page)
    browser = Browser(options.program)
    try:
        browser.attach()
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        browser.call("Emulation.setEmulatedMedia", media=options.media, features=[{"name": "prefers-color-scheme", "value": options.scheme}])
        if options.no_script:
            browser.call("Emulation.setScriptExecutionDisabled", value=True)
        start = time.monotonic()
        browser.call("Page.navigate", url=url)
        browser.wait_for("Page.loadEventFired")
        load_ms = (time.monotonic() - start) * 1000
        if options.no_script:  # scripts of the inspector do not belong to the page
            browser.call("Emulation.setScriptExecutionDisabled", value=False)
        result = {"load_ms": load_ms}
        if options.run:
            result["result"] = browser.run(options.run)
        if options.at:
            browser.run("document.querySelector(%s).scrollIntoView()" % json.dumps(options.at))
        browser.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        result["text"] = browser.run("document.body.innerText")
        if options.shot:
            shot = browser.call("Page.captureScreenshot", format="png")["data"]
            with open(options.shot, "wb") as file:
                file.write(base64.b64decode(shot))
        if options.print:
            pdf = browser.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
            with open(options.print, "wb") as file:
                file.write(base64.b64decode(pdf))
        result["requests"] = [event["params"]["request"]["url"] for event in browser.events
                              if event["method"] == "Network.requestWillBeSent" and event["params"]["request"]["url"] != url]
        result["errors"] = find_errors(browser.events)
        print(json.dumps(result))
    finally:
        browser.close()


if __name__ == "__main__":
    main()
