"""The browser of the tests, the benchmarks and the figures: the system's Chromium, moved by Playwright."""

import os
import shutil

from playwright.sync_api import Browser, Playwright

from scripts.install import CHROMIUM

# Chromium asks its maker for updates and word lists unless these options forbid it.
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-gpu")


def started(playwright: Playwright, *options: str) -> Browser:
    """Start the system's Chromium, without a window and with more options of its command line; the caller closes it.

    Raises:
        FileNotFoundError: there is none; the text says what to install.
    """
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if not program:
        raise FileNotFoundError("the pages need Chromium: sudo apt-get install chromium-headless-shell (or chromium)")
    sandbox = () if os.geteuid() else ("--no-sandbox",)  # Chromium's own sandbox refuses to run for root
    return playwright.chromium.launch(executable_path=program, args=[*QUIET, *sandbox, *options])


def proxy(address: str) -> str:
    """Return the option by which Chromium asks a proxy, `http://127.0.0.1:8000`, for everything that is not on this machine."""
    return f"--proxy-server={address.removeprefix('http://').partition('/')[0]}"
