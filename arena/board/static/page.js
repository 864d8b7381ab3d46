// The board on a page of its own: requests go to the program that serves the page.
import { wholePage } from "./whole_page.js";

const tab = crypto.randomUUID();   // a game for each tab

async function ask(request) {
  const answer = await fetch(`ask?tab=${tab}`, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(request),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

wholePage(ask);
