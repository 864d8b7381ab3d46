// The board's thinking in a thread of its own: messages are requests and answers of a session, in order.
//
// The first message is {files, catalogue, seed}; each of the others is {number, request}, and {number, answer} goes back, or
// {number, failure}, the words of an error of ours.
import { give } from "./loading.js";
import { Session } from "./session.js";

let session = null;

self.onmessage = ({ data }) => {
  if (session) {
    self.postMessage({ number: data.number, ...answered(data.request) });
    return;
  }
  give(data.files);
  session = new Session(data.catalogue, data.seed);
};

function answered(request) {
  try {
    return { answer: session.answer(request) };
  } catch (error) {
    return { failure: String(error) };
  }
}
