"""Sphinx's settings. The pages that Sphinx reads are laid out by stage.py; nothing is fetched from a network."""

from pathlib import Path

project = "Monte Carlo tree search to AlphaZero"
html_title = "MCTS to AlphaZero"
copyright = "the authors, under the MIT licence"
extensions = [
    "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "docs.site.mathml", "docs.site.docstrings",
]  # fmt: skip
myst_heading_anchors = 4
myst_links_external_new_tab = False
html_math_renderer = "mathml"
highlight_language = "none"  # an indented block is a command or an output
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_show_search_summary = False  # a page that is opened from a folder may not fetch the others to quote them
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
copybutton_exclude = ".linenos, .gp"
copybutton_selector = "div:not(.output) > div.highlight > pre"
napoleon_use_ivar = True  # a field that has a docstring of its own is not described twice
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
toc_object_entries_show_parents = "hide"
