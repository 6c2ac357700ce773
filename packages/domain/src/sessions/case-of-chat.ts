/**
 * Turns a playground conversation into a case. Its messages become prompts, and each successful
 * call becomes an expected call with the same arguments.
 */
import { hideSecrets } from '../assertions/redact.ts';
import { caseOfDraft, type DraftedCall } from '../drafting/drafted-case.ts';
import { cutText } from '../insights/candidate.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Json } from '../kernel/json.ts';
import type { EvalCaseDefinition } from '../suites/eval-case.ts';
import type { VisitLine } from '../user-testing/visit-lines.ts';
import { chatBounds } from './chat-turn.ts';

export interface ChatTurnOfCase {
  readonly text: string;
  readonly modelId: string;
  readonly lines: readonly VisitLine[];
}

/** Returns undefined for an empty conversation. */
export function caseOfChat(
  turns: readonly ChatTurnOfCase[],
  { title, hiddenMark }: { readonly title?: string | undefined; readonly hiddenMark: string },
): EvalCaseDefinition | undefined {
  const [first] = turns;
  if (first === undefined) return undefined;
  const isShared = sharedNames(turns.flatMap(({ lines }) => lines));
  const models = [...new Set(turns.map(({ modelId }) => modelId))];
  return caseOfDraft(
    {
      bucket: 'simple',
      title: title ?? titleOfChat(first.text),
      turns: turns.map(({ text, lines }) => ({
        prompt: String(hideSecrets(text)),
        expected: expectedOf(lines, hiddenMark).map((call) => named(call, isShared)),
      })),
    },
    // If several models answered in the conversation, the case sets no model.
    models.length === 1 ? [{ model: first.modelId }] : [],
  );
}

export function titleOfChat(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const words = String(hideSecrets(line))
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  return cutText(words, chatBounds.titleCharacters).trim() || 'Conversation';
}

type CallLine = Extract<VisitLine, { readonly type: 'tool_call' }>;

/**
 * Leaves out calls whose arguments are partly hidden, since the real arguments are unknown. A
 * repeated call is expected once.
 */
function expectedOf(lines: readonly VisitLine[], hiddenMark: string): CallLine[] {
  const worked = new Set(
    lines.flatMap((line) => (line.type === 'tool_result' && !line.isError ? [line.callId] : [])),
  );
  const calls = new Map<string, CallLine>();
  for (const line of lines) {
    if (line.type !== 'tool_call' || !worked.has(line.callId)) continue;
    const spelled = canonicalJson([line.serverName, line.toolName, line.arguments]);
    if (!spelled.includes(hiddenMark) && !calls.has(spelled)) calls.set(spelled, line);
  }
  return [...calls.values()];
}

function named(call: CallLine, isShared: (toolName: string) => boolean): DraftedCall {
  const { toolName, serverName } = call;
  return {
    toolName,
    ...(isShared(toolName) && { serverName }),
    arguments: call.arguments as Json,
  };
}

/**
 * Returns a predicate that is true if several servers have a tool with this name. Only a call of
 * such a tool names its server.
 */
function sharedNames(lines: readonly VisitLine[]): (toolName: string) => boolean {
  const servers = new Map<string, Set<string>>();
  for (const line of lines) {
    if (line.type !== 'tool_call') continue;
    const known = servers.get(line.toolName) ?? new Set();
    servers.set(line.toolName, known.add(line.serverName));
  }
  return (toolName) => (servers.get(toolName)?.size ?? 0) > 1;
}
