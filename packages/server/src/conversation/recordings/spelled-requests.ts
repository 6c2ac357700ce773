/**
 * Requests to models in their one spelling, as canonicalJson has it. Tools are most of a request and nearly always the same
 * array for all trials of a run, so they are spelled once: else that was a seventh of the CPU of a replayed trial, and a
 * third of what a recording took.
 */
import { canonicalJson, type RecordedRequest } from '@proofmark/domain';

const spelledTools = new WeakMap<readonly unknown[], string>();

export function spellTools(tools: readonly unknown[]): string {
  const spelled = spelledTools.get(tools) ?? canonicalJson(tools);
  spelledTools.set(tools, spelled);
  return spelled;
}

/** Keys stand in their order: what goes before the messages, then what stands between them and the tools. */
export function spellOneRequest(
  { after, keptMessages, messages, tools, ...others }: RecordedRequest,
  spellMessage: (message: unknown) => string = canonicalJson,
): string {
  const follows = after === undefined ? '' : `"after":${after},"keptMessages":${keptMessages},`;
  const said = messages.map((one) => spellMessage(one)).join();
  const between = canonicalJson(others).slice(1, -1);
  const offered = tools === undefined ? '' : `,"tools":${spellTools(tools)}`;
  return `{${follows}"messages":[${said}],${between}${offered}}`;
}
