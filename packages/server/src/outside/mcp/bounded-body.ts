/**
 * Limits for the bodies of answers. They apply before the protocol library, which reads without a
 * limit and buffers an event of a stream until its end. Only complete messages within the limits of
 * size and depth are passed on.
 */
import { messageTooLarge } from './explain-mcp-error.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { JsonDepth } from './json-depth.ts';

export interface BodyLimits {
  readonly maxMessageBytes: number;
  readonly maxDepth: number;
  readonly maxPieces: number;
}

export async function readBoundedBody(
  body: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
  count: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new GrowingBytes();
  const depth = new JsonDepth(limits);
  for await (const chunk of body ?? []) {
    count(chunk.byteLength);
    if (bytes.length + chunk.byteLength > limits.maxMessageBytes)
      throw messageTooLarge(limits.maxMessageBytes);
    depth.read(chunk);
    bytes.add(chunk);
  }
  return bytes.take();
}

/**
 * The bytes of messages that are passed on per turn of the event loop, so that hundreds of small
 * messages do not block other work. With at least about 80 bytes per message, this is about a
 * hundred messages.
 */
const atOnceBytes = 8 * 1024;

/**
 * Returns a stream of complete server-sent events. `ended` is called once: without an argument at a
 * normal end, else with the error.
 */
export function boundedEvents(
  body: ReadableStream<Uint8Array>,
  limits: BodyLimits,
  count: (bytes: number) => void,
  ended: (error?: unknown) => void = () => undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const events = new EventsInProgress(limits);
  let waiting: Uint8Array = new Uint8Array();
  /**
   * The bytes passed on since the last turn of the event loop. They are counted across chunks,
   * because available chunks are read without a turn in between.
   */
  let handedOnBytes = 0;
  const handOn = (controller: ReadableStreamDefaultController<Uint8Array>, bytes: Uint8Array) => {
    const now = bytes.subarray(0, atOnceBytes - handedOnBytes);
    handedOnBytes += now.length;
    controller.enqueue(now);
    waiting = bytes.subarray(now.length);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (handedOnBytes >= atOnceBytes) {
            await new Promise((resolve) => setImmediate(resolve));
            handedOnBytes = 0;
          }
          if (waiting.length > 0) return handOn(controller, waiting);
          for (;;) {
            const next = await reader.read();
            if (next.done) {
              controller.enqueue(events.rest());
              controller.close();
              ended();
              return;
            }
            count(next.value.byteLength);
            const complete = events.add(next.value);
            if (complete === undefined) continue;
            return handOn(controller, complete);
          }
        } catch (error) {
          reader.cancel(error).catch(() => undefined);
          ended(error);
          throw error;
        }
      },
      cancel(reason) {
        ended(reason);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Cuts the stream at the empty lines that end events. Every byte is read once. */
class EventsInProgress {
  readonly #limits: BodyLimits;
  readonly #depth: JsonDepth;
  readonly #bytes = new GrowingBytes();
  #lineLength = 0;
  #isData = true;
  #lastWasReturn = false;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#depth = new JsonDepth(limits);
  }

  /**
   * Adds a chunk and returns everything up to the end of the last complete event, if there is one.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one scanner that looks at each byte once, with its state from chunk to chunk.
  add(chunk: Uint8Array): Uint8Array | undefined {
    let end = 0;
    let lineStart = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte !== newline && byte !== carriageReturn) continue;
      // A carriage return at the end of the previous chunk and a newline at the start of this chunk
      // are a single line end.
      const isSecondHalf =
        byte === newline &&
        (index === 0 ? this.#lastWasReturn : chunk[index - 1] === carriageReturn);
      if (isSecondHalf) {
        if (end === index && end > 0) end = index + 1;
      } else {
        this.#line(chunk, lineStart, index);
        if (this.#lineLength === 0) {
          end = index + 1;
          this.#depth.reset();
        }
        this.#lineLength = 0;
      }
      lineStart = index + 1;
    }
    this.#line(chunk, lineStart, chunk.length);
    this.#lastWasReturn = chunk[chunk.length - 1] === carriageReturn;
    return this.#cut(chunk, end);
  }

  rest(): Uint8Array {
    return this.#bytes.take();
  }

  #line(chunk: Uint8Array, from: number, to: number): void {
    if (this.#lineLength === 0) {
      this.#depth.endLine();
      this.#isData = true;
    }
    for (let at = this.#lineLength; at < dataField.length; at += 1) {
      const index = from + at - this.#lineLength;
      if (index >= to) break;
      if (chunk[index] !== dataField[at]) this.#isData = false;
    }
    this.#lineLength += to - from;
    this.#depth.read(chunk, from, to, !this.#isData);
  }

  #cut(chunk: Uint8Array, end: number): Uint8Array | undefined {
    this.#bytes.add(end === 0 ? chunk : chunk.subarray(0, end));
    if (this.#bytes.length > this.#limits.maxMessageBytes)
      throw messageTooLarge(this.#limits.maxMessageBytes);
    if (end === 0) return undefined;
    const complete = this.#bytes.take();
    this.#bytes.add(chunk.subarray(end));
    return complete;
  }
}

/** Messages are only in lines with this prefix. */
const dataField = new TextEncoder().encode('data:');
const newline = 0x0a;
const carriageReturn = 0x0d;
