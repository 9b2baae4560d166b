"""A real browser without a window: Chromium, driven by selenium.

Selenium and not playwright: 12 MB against 53 MB, which brings a Node of its own, and either needs the system's browser.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

# Where both are, as on GitHub's machines, the driver is Chrome's.
BROWSERS = ("google-chrome", "chromium", "chromium-browser")
OPTIONS = (
    "--headless=new", "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-gpu",
    "--no-sandbox",  # a container's root cannot have Chromium's own; the pages are ours
    "--disable-dev-shm-usage", "--force-color-profile=srgb", "--hide-scrollbars", "--lang=en-US",
)  # fmt: skip

WHOLE = "return document.readyState === 'complete' && location.href === arguments[0]"


@contextmanager
def chromium(width: int = 1360, height: int = 1000) -> Iterator[Chrome]:
    """One browser, closed in the end. Raises LookupError where the system has none."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        raise LookupError("There is no Chromium: apt-get install --no-install-recommends chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = browser
    for option in (*OPTIONS, f"--window-size={width},{height}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    chrome = Chrome(options, Service(driver))
    try:
        chrome.set_page_load_timeout(30)
        yield chrome
    finally:
        chrome.quit()


def show(chrome: Chrome, file: Path, scheme: str = "light") -> None:
    """Open a page from disk, all of it. scheme: what the reader prefers, light or dark."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    chrome.get(file.as_uri())
    # Where the page before was still about to be left, the driver may take that one's end for this one's.
    WebDriverWait(chrome, 30).until(lambda shown: shown.execute_script(WHOLE, file.as_uri()))


def requests(chrome: Chrome) -> list[str]:
    """The addresses that were asked for since the last call, but for what the page's policy has forbidden."""
    messages = [json.loads(entry["message"])["message"] for entry in chrome.get_log("performance")]  # type: ignore[no-untyped-call]
    told = [(each["method"], each["params"]) for each in messages]
    forbidden = {of["requestId"] for method, of in told if of.get("blockedReason") == "csp"}
    sent = [of for method, of in told if method == "Network.requestWillBeSent"]
    return [of["request"]["url"] for of in sent if of["requestId"] not in forbidden]


def complaints(chrome: Chrome) -> list[dict[str, Any]]:
    """What the browser has written to its console since the last call, such as a broken policy."""
    return list(chrome.get_log("browser"))  # type: ignore[no-untyped-call]
