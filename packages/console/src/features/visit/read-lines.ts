/** Yields each line of an answer as soon as it is complete. An incomplete last line is dropped. */
export async function* linesOf(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<string, void> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let open = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\n');
    open += first;
    for (const next of others) {
      if (open.trim() !== '') yield open;
      open = next;
    }
  }
}
