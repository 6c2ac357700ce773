/**
 * Requests to models in their one spelling, as canonicalJson has it. Tools are most of a request and nearly always the same
 * array for all trials of a run, so they are spelled once: else that was a seventh of the CPU of a replayed trial.
 */
import { canonicalJson, type WholeRequest } from '@proofmark/domain';

const spelledTools = new WeakMap<readonly unknown[], string>();

export function spellTools(tools: readonly unknown[]): string {
  const spelled = spelledTools.get(tools) ?? canonicalJson(tools);
  spelledTools.set(tools, spelled);
  return spelled;
}

export function spellWholeRequest(
  { messages, tools, ...others }: WholeRequest,
  spellMessage: (message: unknown) => string = canonicalJson,
): string {
  const rest = canonicalJson(others).slice(1, -1);
  return `{"messages":[${messages.map((one) => spellMessage(one)).join()}],${rest},"tools":${spellTools(tools)}}`;
}
