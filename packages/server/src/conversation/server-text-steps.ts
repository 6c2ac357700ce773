/**
 * Steps that add a server's text to the conversation: the messages of a prompt or the text of a
 * resource. If the server does not offer or return the prompt or resource, the step fails like a
 * tool call without a result.
 */
import {
  isOurLimit,
  isRefusal,
  type Json,
  mcpErrorOf,
  type Step,
  trialSentence,
  unlistedPrompt,
} from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { McpSession } from '../outside/mcp/mcp-gateway.ts';
import { askUntilAnswered } from './prompt-step.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import { cut, listOf, longestText, readMessage, textOfContents } from './server-text.ts';
import { SetupLost } from './setup-lost.ts';
import { ok, type StepOutcome } from './step-outcome.ts';
import { isCrowdedTimeout } from './timeout-beside-other-calls.ts';
import { serverOf } from './tool-call-step.ts';
import type { TrialContext } from './trial-context.ts';

type PromptOfServer = Extract<Step, { kind: 'getPrompt' }>;
type ResourceOfServer = Extract<Step, { kind: 'readResource' }>;

interface Position {
  readonly promptIndex: number;
  readonly parentId: string;
}

const mostMessages = 100;
const besideOthers =
  ' The server was also processing other calls from Proofmark, so this says nothing about its speed.';

export async function getPromptStep(
  context: TrialContext,
  step: PromptOfServer,
  position: Position,
): Promise<StepOutcome> {
  const { promptName, arguments: given = {} } = step;
  const name = JSON.stringify(promptName);
  const asked = await askServer(
    context,
    step,
    { method: 'prompts/get', about: promptName, what: `The prompt ${name} could not be rendered` },
    position,
    (session) => session.getPrompt(promptName, given),
    async (session) =>
      (await isListed(session, promptName)) ? undefined : unlistedPrompt(promptName),
  );
  if ('outcome' in asked) return asked.outcome;
  const messages = listOf(asked.result['messages']);
  const read = messages.slice(0, mostMessages).map(readMessage);
  if (read.every(({ text }) => text.trim() === '')) {
    const { log, planned } = context;
    const reason = `The prompt ${name} rendered no text, so no model was asked.`;
    const seen = { kind: 'content-error', message: reason, sentence: reason } as const;
    log.toolErrors.push({ ...seen, promptIndex: position.promptIndex, spanId: asked.spanId });
    log.pinnedErrors.add(asked.spanId);
    return planned.failOnToolError ? { kind: 'failed', reason } : { kind: 'ok', note: reason };
  }
  let left = longestText;
  for (const { role, text } of read) {
    const kept = cut(text, left);
    left = Math.max(0, left - text.length);
    if (role === 'assistant') context.log.addAssistantText(kept);
    else context.log.addUserText(kept);
  }
  const notes = [
    ...(messages.length > mostMessages
      ? [`Only its first ${mostMessages} messages were used.`]
      : []),
    ...(left === 0
      ? [`Its text was cut at ${longestText.toLocaleString('en-US')} characters.`]
      : []),
  ];
  if (read.at(-1)?.role === 'assistant') {
    const note = "The last message is not the user's, so no model was asked.";
    return { kind: 'ok', note: [...notes, note].join(' ') };
  }
  const outcome = await askUntilAnswered(context, position);
  if (outcome.kind !== 'ok' || notes.length === 0) return outcome;
  return { kind: 'ok', note: [...notes, ...(outcome.note ? [outcome.note] : [])].join(' ') };
}

export async function readResourceStep(
  context: TrialContext,
  step: ResourceOfServer,
  position: Position,
): Promise<StepOutcome> {
  const uri = JSON.stringify(step.uri);
  const asked = await askServer(
    context,
    step,
    { method: 'resources/read', about: step.uri, what: `The resource ${uri} could not be read` },
    position,
    (session) => session.readResource(step.uri),
  );
  if ('outcome' in asked) return asked.outcome;
  const text = textOfContents(asked.result);
  context.log.addUserText(cut(text, longestText), false);
  if (text.length <= longestText) return ok;
  const note = `Its text was cut at ${longestText.toLocaleString('en-US')} characters.`;
  return { kind: 'ok', note };
}

/**
 * A prompt also counts as listed if the list has a next page, because the prompt may be on that
 * page.
 */
async function isListed(session: McpSession, promptName: string): Promise<boolean> {
  const { items, nextCursor } = await session.listPrompts();
  return nextCursor !== undefined || items.some(({ name }) => name === promptName);
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the order of these questions decides the verdict, and shows only when they stand together.
async function askServer(
  context: TrialContext,
  step: PromptOfServer | ResourceOfServer,
  asked: { readonly method: string; readonly about: string; readonly what: string },
  { promptIndex, parentId }: Position,
  work: (session: McpSession) => Promise<Json>,
  /**
   * Called after an error of the server to find its cause, for example that the server does not
   * list the prompt.
   */
  explain?: (session: McpSession) => Promise<string | undefined>,
): Promise<{ readonly result: Json; readonly spanId: string } | { readonly outcome: StepOutcome }> {
  const { log, signal, dependencies, planned, waits, limit } = context;
  const server = serverOf(step, context.opened.servers);
  if (server === undefined)
    throw new Error('Internal fault: the server of a step has no open session.');
  const span = log.beginSpan(`${asked.method} ${asked.about}`.slice(0, 200), 'request');
  Object.assign(span, { parentId, promptIndex, serverId: server.id, serverName: server.name });
  const wait = waits.begin();
  try {
    const result = await dependencies.servers.ask(
      ...[server.id, work, signal, wait.onWaiting],
      (afterMs) =>
        log.repeated.add({ serverName: server.name, what: `The request ${asked.method}`, afterMs }),
    );
    log.endSpan(span);
    return { result, spanId: span.id };
  } catch (thrown) {
    span.status = 'error';
    // A request that was still waiting for a slot was never sent, so it gets no span.
    if (!signal.aborted || !wait.isWaiting) log.endSpan(span);
    const late = wait.isWaiting ? undefined : limit?.lateServer(server.name);
    if (signal.aborted && late === undefined) throw signal.reason;
    const error = late === undefined ? thrown : new McpFailure('TIMEOUT', late);
    const isHeldBack = isRefusedEvenAlone(error);
    if (!(error instanceof McpFailure) || (error.code === 'RATE_LIMITED' && !isHeldBack)) {
      throw error;
    }
    const code = mcpErrorOf(factsOf(error));
    const why =
      explain === undefined || code?.origin !== 'theirs'
        ? undefined
        : await dependencies.servers.ask(server.id, explain, signal).catch(() => undefined);
    const failure = trialSentence(
      `${why === undefined ? '' : `${why} `}${asked.what}: ${error.message}`,
    );
    const facts = factsOf(error);
    if (isOurLimit(facts) || isCrowdedTimeout(error)) {
      const crowd = isCrowdedTimeout(error) ? besideOthers : '';
      return { outcome: { kind: 'setupFailed', reason: `${failure}${crowd}` } };
    }
    if (isHeldBack || isRefusal(facts)) {
      const needsOAuth = error.code === 'OAUTH_REQUIRED';
      throw new SetupLost(failure, { needsOAuth, asksToWait: isHeldBack });
    }
    if (code !== undefined) {
      span.mcpErrorCode = code.code;
      span.mcpErrorOrigin = code.origin;
    }
    const message = trialSentence(error);
    const seen = { kind: 'protocol-error', message, sentence: failure } as const;
    log.toolErrors.push({ ...seen, promptIndex, spanId: span.id });
    log.pinnedErrors.add(span.id);
    if (late !== undefined) log.lateAnswer = failure;
    const outcome: StepOutcome =
      planned.failOnToolError || late !== undefined
        ? { kind: 'failed', reason: failure }
        : { kind: 'ok', note: failure };
    return { outcome };
  } finally {
    waits.end(wait);
  }
}
