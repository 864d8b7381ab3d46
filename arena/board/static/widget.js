// Put in front of `draw`, a function (root, ask) -> {end}: a view of a notebook's widget, whose requests are messages to the kernel.

export function widget(draw) {
  return {
    render({ model, el }) {
      const waiting = new Map(), view = Math.random().toString(36).slice(2);  // a widget may be shown twice
      let asked = 0;
      const heard = ({ id, reply }) => {
        const settle = waiting.get(id);
        waiting.delete(id);
        if (settle) settle(JSON.parse(reply));
      };
      const ask = (request) => new Promise((settle) => {
        const id = `${view} ${asked++}`;
        waiting.set(id, settle);
        model.send({ id, request: JSON.stringify(request) });
      });
      model.on("msg:custom", heard);
      const root = el.appendChild(document.createElement("div"));
      // Jupyter takes keys before the page does; it leaves those alone whose element has this attribute.
      root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
      const shown = draw(root, ask);
      return () => {
        model.off("msg:custom", heard);
        shown.end();
        root.remove();
      };
    },
  };
}
