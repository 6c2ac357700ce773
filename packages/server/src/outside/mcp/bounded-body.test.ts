import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedEvents, readBoundedBody } from './bounded-body.ts';

const limits = { maxMessageBytes: 100, maxDepth: 4, maxPieces: 20 };
const wide = { maxMessageBytes: 10_000, maxDepth: 4, maxPieces: 1000 };
const wideStream = { ...wide, maxMessageBytes: 1_000_000 };
const lineEnds = ['\n', '\r\n', '\r'];

test('events arrive unchanged however the bytes are cut', async () => {
  const event = fc
    .tuple(
      fc.array(fc.constantFrom('data: {"a":[1]}', ': note', 'id: 7', 'data: "]]}{{"')),
      fc.constantFrom(...lineEnds),
    )
    .map(([lines, end]) => [...lines, '', ''].join(end));
  await fc.assert(
    fc.asyncProperty(
      fc.array(event),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      async (events, sizes) => {
        const text = events.join('');
        const chunks: string[] = [];
        for (let from = 0; from < text.length; ) {
          const size = sizes.next().value as number;
          chunks.push(text.slice(from, from + size));
          from += size;
        }
        expect((await read(boundedEvents(streamOf(chunks), wide, () => undefined))).join('')).toBe(
          text,
        );
      },
    ),
  );
});

test('an event is handed on only when it is complete', async () => {
  const parts = await read(
    boundedEvents(streamOf(['data: 1', '\n', '\ndata: 2\n', '\n']), limits, () => undefined),
  );
  expect(parts.filter((part) => part !== '')).toEqual(['data: 1\n\n', 'data: 2\n\n']);
});

test.each([
  ['an event that never ends', Array.from({ length: 200 }, () => 'x')],
  ['lines of one event that never ends', Array.from({ length: 60 }, () => 'a\n')],
])('%s is too large', async (_title, chunks) => {
  const events = boundedEvents(streamOf(chunks), limits, () => undefined);
  await expect(read(events)).rejects.toMatchObject({
    details: { reason: 'RESPONSE_TOO_LARGE', limit: 100 },
  });
});

test.each([
  'data: [[[[[',
  'data: {"a":[{"b":[{',
  'data: "x\ndata: [[[[[',
  ': ]]]]\ndata: [[[[[',
  'data: [[[\n: ]]]]]]\ndata: [[',
  'data: [[[\ndatum: ]]]\ndata: [[',
  'data: [[[\n]]]\ndata: [[',
  '\ufeffdata: [[[\n: ]]]\ndata: [[',
])('an event like %j is too deep', async (text) => {
  const events = boundedEvents(streamOf([text]), limits, () => undefined);
  await expect(read(events)).rejects.toMatchObject({ details: { reason: 'RESPONSE_TOO_LARGE' } });
});

test.each(['{"a":1}'.repeat(11), '[]'.repeat(21), `[${'1,'.repeat(21)}1]`])(
  'a message of many small values like %j is too large, whatever its bytes',
  async (text) => {
    const tooMany = {
      details: { reason: 'RESPONSE_TOO_LARGE', limit: 20, unit: 'values' },
    };
    const events = boundedEvents(streamOf([`data: ${text}`]), limits, () => undefined);
    await expect(read(events)).rejects.toMatchObject(tooMany);
    const body = readBoundedBody(streamOf([text]), limits, () => undefined);
    await expect(body).rejects.toMatchObject(tooMany);
  },
);

test('brackets inside texts do not nest, and every event starts anew', async () => {
  const text = 'data: "[[[[[[\\"[["\n\n'.concat('data: [[[[\n\n'.repeat(3));
  expect((await read(boundedEvents(streamOf([text]), limits, () => undefined))).join('')).toBe(
    text,
  );
});

test('an object over several lines of data closes what it opened, whatever is noted in between', async () => {
  const text = `data: [[[\n: [note]\ndata: ]]]\n: ]\n`.repeat(3).concat('data: [[[[\n\n');
  for (const chunks of [[text], [...text]]) {
    const events = boundedEvents(streamOf(chunks), wide, () => undefined);
    expect((await read(events)).join('')).toBe(text);
  }
});

test('a body that closes what it never opened earns no depth by it', async () => {
  const body = readBoundedBody(streamOf([']]]][[[[[']), limits, () => undefined);
  await expect(body).rejects.toMatchObject({ details: { reason: 'RESPONSE_TOO_LARGE' } });
});

test('the end of a stream is told once, with its reason', async () => {
  const ends: unknown[] = [];
  await read(
    boundedEvents(
      streamOf(['data: 1\n\n']),
      limits,
      () => undefined,
      (error) => ends.push(error),
    ),
  );
  const large = boundedEvents(
    streamOf(['x'.repeat(200)]),
    limits,
    () => undefined,
    (error) => ends.push(error),
  );
  await read(large).catch(() => undefined);
  expect(ends).toEqual([undefined, expect.objectContaining({ name: 'McpFailure' })]);
});

test('a body of one message has the same limits', async () => {
  const body = (text: string) => readBoundedBody(streamOf([text]), limits, () => undefined);
  expect(new TextDecoder().decode(await body('{"a":1}'))).toBe('{"a":1}');
  await expect(body('x'.repeat(101))).rejects.toMatchObject({
    details: { reason: 'RESPONSE_TOO_LARGE' },
  });
  await expect(body('[[[[[]]]]]')).rejects.toMatchObject({
    details: { reason: 'RESPONSE_TOO_LARGE' },
  });
});

test.each([
  ['in many chunks that lie ready', Array.from({ length: 2000 }, () => 'data: {"a":1}\n\n')],
  ['in one chunk', ['data: {"a":1}\n\n'.repeat(2000)]],
])('a flood of small events %s leaves others their turn', async (_title, chunks) => {
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  others();
  const bytesOfTurns = new Map<number, number>();
  for await (const part of boundedEvents(streamOf(chunks), wideStream, () => undefined)) {
    bytesOfTurns.set(turns, (bytesOfTurns.get(turns) ?? 0) + part.byteLength);
  }
  isOver = true;
  const bytes = [...bytesOfTurns.values()];
  expect(bytes.reduce((sum, count) => sum + count)).toBe(chunks.join('').length);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(8 * 1024);
});

function streamOf(chunks: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const parts: string[] = [];
  for await (const chunk of stream) parts.push(new TextDecoder().decode(chunk));
  return parts;
}
