# SPDX-License-Identifier: MIT
"""Imports files with speedscope itself, in a headless Chromium, and prints the result for each.

speedscope.py CHROMIUM INDEX.html FILE...: "FILE: TITLE, N profiles", or what it had to say against the file.
"""
import base64
import json
import os
import re
import sys
import tempfile
import time

from browser import Browser, find_errors

LONGEST_S = 120


def find_outcome(browser):
    """The page's text after it has read a file."""
    deadline = time.monotonic() + LONGEST_S
    while time.monotonic() < deadline:
        try:
            title, text = browser.run("[document.title, document.body ? document.body.innerText : '']")
        except RuntimeError:  # the page went away during the query
            title, text = "", ""
        if "Something went wrong" in text:
            return "refused"
        if title.endswith(" - speedscope"):
            count = re.search(r"\(1/([0-9]+)\)", text)
            return f"{title[:-len(' - speedscope')]}, {count.group(1) if count else 1} profiles"
        time.sleep(0.1)
    return "nothing came of it"


def load(browser, index, path, script):
    """Opens a file as speedscope's own command does: by a script that hands it over."""
    name = os.path.basename(path)
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"speedscope.loadFileFromBase64({json.dumps(name)}, {json.dumps(data)})")
    browser.call("Page.navigate", url="about:blank")
    browser.events = []
    browser.call("Page.navigate", url=f"file://{index}#localProfilePath={script}")
    browser.wait_for("Page.loadEventFired")
    outcome = find_outcome(browser)
    errors = [error for error in find_errors(browser.events) if "WebGL" not in error]
    return f"{name}: {outcome}" + "".join("; " + error[:200] for error in errors[:3])


def main():
    browser = Browser(sys.argv[1])
    try:
        browser.attach()
        with tempfile.TemporaryDirectory() as folder:
            for path in sys.argv[3:]:
                print(load(browser, os.path.realpath(sys.argv[2]), path, os.path.join(folder, "file.js")))
    finally:
        browser.close()


main()
