// How the search ranks: a page of questions comes before a page that only holds the same words.
var Scorer = {
  score: ([docname, title, anchor, descr, score]) => (docname.startsWith("docs/faq_") ? score + 20 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
