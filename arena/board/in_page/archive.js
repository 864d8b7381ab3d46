// Arrays of a file that numpy.savez_compressed wrote, as it ships: a zip archive with one .npy file for each array.

const LISTED = 0x02014b50, LIST_END = 0x06054b50; // the first four bytes of an entry in the table of contents, and of its end
const READERS = {
  "<f4": bytes => new Float32Array(bytes),
  "|i1": bytes => new Int8Array(bytes),
  "<i8": bytes => { // below 2**53
    const words = new Uint32Array(bytes);
    return Float64Array.from({ length: words.length / 2 }, (_, i) => words[2 * i] + words[2 * i + 1] * 2 ** 32);
  },
};

export function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Returns a promise of {name: array}; the arrays are flat, the first index the slowest.
export async function readArchive(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), arrays = {};
  let end = bytes.length - 22;
  while (view.getUint32(end, true) !== LIST_END) end--;
  for (let at = view.getUint32(end + 16, true); view.getUint32(at, true) === LISTED;) {
    const packed = view.getUint16(at + 10, true) !== 0, size = view.getUint32(at + 20, true);
    const nameLength = view.getUint16(at + 28, true), begins = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)).replace(/\.npy$/, "");
    const from = begins + 30 + view.getUint16(begins + 26, true) + view.getUint16(begins + 28, true);
    const content = bytes.slice(from, from + size);
    arrays[name] = arrayIn(packed ? await inflated(content) : content.buffer);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return arrays;
}

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

function arrayIn(buffer) {
  const begins = 10 + new DataView(buffer).getUint16(8, true);
  const header = new TextDecoder("latin1").decode(buffer.slice(10, begins));
  return READERS[/'descr': '([^']+)'/.exec(header)[1]](buffer.slice(begins));
}
