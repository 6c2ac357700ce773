/**
 * Reads a linked resource through a tool of Proofmark. The read is no call of a server's tool, so
 * no expectation, assertion or count includes it. Only resources that results in the conversation
 * link to are read, from the server that sent the result.
 * A failed read is reported to the model. If a limit of Proofmark caused the failure, the trial
 * ends without a grade, because another client could have read the resource.
 */
import { isOurLimit, mcpErrorOf, trialSentence } from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { ModelToolCall, ToolResultPart } from '../outside/model/model-gateway.ts';
import type { LinkingServer } from './linked-resources.ts';
import { NotMeasured } from './not-measured.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import { cut, longestText, textOfContents } from './server-text.ts';
import type { TurnContext } from './trial-context.ts';

type Output = ToolResultPart['output'];

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one request, whose span and wait are settled on every way out of it.
export async function readLink(
  context: TurnContext,
  call: ModelToolCall,
  { promptIndex, parentId }: { readonly promptIndex: number; readonly parentId: string },
): Promise<Output> {
  const { log, dependencies, signal, waits } = context;
  const { uri: asked } = call.input;
  log.links.countRead(promptIndex);
  const about = typeof asked === 'string' ? ` ${asked}` : '';
  const span = log.beginSpan(`resources/read${about}`.slice(0, 200), 'request');
  Object.assign(span, { parentId, promptIndex, toolCallId: call.toolCallId });
  const found = findServer(context, call);
  if ('problem' in found) {
    span.status = 'error';
    log.endSpan(span);
    return { type: 'error-text', value: found.problem };
  }
  const { uri, server } = found;
  const { serverId, serverName } = server;
  Object.assign(span, { serverId, serverName });
  const wait = waits.begin();
  try {
    const result = await dependencies.servers.ask(
      serverId,
      (session) => session.readResource(uri),
      signal,
      wait.onWaiting,
    );
    log.endSpan(span);
    const text = textOfContents(result);
    const content = [{ type: 'text', text: cut(text, longestText) }];
    if (text.length > longestText) content.push({ type: 'text', text: cutNote });
    return { type: 'json', value: { content } };
  } catch (error) {
    span.status = 'error';
    // A read that was still waiting for a slot was never sent, so it gets no span.
    if (!signal.aborted || !wait.isWaiting) log.endSpan(span);
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof McpFailure)) throw error;
    // Proofmark made too many concurrent calls. This must not appear in the conversation, so the
    // error is thrown.
    if (error.code === 'RATE_LIMITED' && !isRefusedEvenAlone(error)) throw error;
    const facts = factsOf(error);
    if (isOurLimit(facts)) {
      const about = JSON.stringify(uri).slice(0, longestAbout);
      const sentence = `The resource ${about} could not be read: ${trialSentence(error)}`;
      throw new NotMeasured({ kind: 'setupFailed', reason: trialSentence(sentence) });
    }
    const code = mcpErrorOf(facts);
    if (code !== undefined) {
      span.mcpErrorCode = code.code;
      span.mcpErrorOrigin = code.origin;
    }
    return { type: 'error-text', value: trialSentence(error) };
  } finally {
    waits.end(wait);
  }
}

const longestAbout = 200;
const cutNote = `[The text was cut at ${longestText.toLocaleString('en-US')} characters.]`;
const nothingLinked = 'No result of a tool links to this URI, so it was not read.';

function findServer(
  { log }: TurnContext,
  { input, invalidInput }: ModelToolCall,
): { readonly uri: string; readonly server: LinkingServer } | { readonly problem: string } {
  const { uri, serverName } = input;
  if (invalidInput !== undefined || typeof uri !== 'string') {
    return { problem: 'The arguments must be a JSON object with the uri as text.' };
  }
  const linking = log.links
    .serversOf(uri)
    .filter((one) => serverName === undefined || one.serverName === serverName);
  const [server, ...others] = linking;
  if (server === undefined) return { problem: nothingLinked };
  if (others.length === 0) return { uri, server };
  const names = linking.map((one) => JSON.stringify(one.serverName)).join(', ');
  return { problem: `Several servers link to this URI: ${names}. Send one of them as serverName.` };
}
