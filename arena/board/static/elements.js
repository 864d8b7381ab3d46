// Elements with their attributes and contents; text is always text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

export function html(tag, attributes = {}, ...contents) {
  return filled(document.createElement(tag), attributes, contents);
}

export function svg(tag, attributes = {}, ...contents) {
  return filled(document.createElementNS(SVG, tag), attributes, contents);
}

function filled(element, attributes, contents) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...contents);
  return element;
}
