/** Converts requests to models to their recorded form, which stores only new messages, and back. */
import type {
  ModelExchange,
  RecordedRequest,
  RecordingExchange,
  WholeRequest,
} from './recording.ts';

/**
 * `earlier` contains the earlier requests in full, each with its position in the recording.
 * Messages are compared by identity, not by content.
 */
export function spellRequest(
  whole: WholeRequest,
  earlier: readonly (readonly [place: number, request: WholeRequest])[],
): RecordedRequest {
  const { model, parameters, system, tools, messages } = whole;
  const settings = { model, parameters, ...(system !== undefined && { system }) };
  const [after, before] = earlier.findLast(([, one]) => one.tools === tools) ?? [];
  if (after === undefined || before === undefined) return { ...settings, tools, messages };
  let keptMessages = 0;
  while (
    keptMessages < before.messages.length &&
    before.messages[keptMessages] === messages[keptMessages]
  ) {
    keptMessages += 1;
  }
  return { ...settings, after, keptMessages, messages: messages.slice(keptMessages) };
}

/**
 * Returns all model requests in full, in order, each with its position. Throws if a request refers
 * to an earlier one that does not exist.
 */
export function wholeRequests(
  exchanges: readonly RecordingExchange[],
): { readonly place: number; readonly exchange: ModelExchange; readonly request: WholeRequest }[] {
  const known = new Map<number, WholeRequest>();
  return exchanges.flatMap((exchange, place) => {
    if (exchange.kind !== 'model') return [];
    const { after, keptMessages = 0, ...rest } = exchange.request;
    const before = after === undefined ? undefined : known.get(after);
    if (after !== undefined && before === undefined) {
      throw new TypeError('A recorded request refers to an earlier request that does not exist.');
    }
    const request: WholeRequest = {
      ...rest,
      tools: rest.tools ?? before?.tools ?? [],
      messages: [...(before?.messages.slice(0, keptMessages) ?? []), ...rest.messages],
    };
    known.set(place, request);
    return [{ place, exchange, request }];
  });
}
