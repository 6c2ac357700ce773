/**
 * Creates a suite for one server from a message that contains its name, server and cases. The agent
 * asks for missing parts.
 */
import { lexicalModelId } from '../clients/lexical-model.ts';
import { draftCases } from '../drafting/draft-cases.ts';
import { caseOfDraft, type DraftTool, toolToDraft } from '../drafting/drafted-case.ts';
import { isRecord } from '../kernel/json.ts';
import type { LexicalAgentInput, LexicalAgentStep } from './lexical-step.ts';
import { findNamed, longList, type NamedThing, outcomeOfCall, thingsIn } from './named-things.ts';
import { listLinesIn, quotedTextsIn, suiteNameIn } from './words-of-message.ts';

export function createSuite(input: LexicalAgentInput): LexicalAgentStep {
  const { message, calls } = input;
  const listed = outcomeOfCall(calls, 'listProjectServers');
  if (listed === undefined)
    return { call: { operation: 'listProjectServers', arguments: longList } };
  if ('error' in listed) return { reply: `I could not read the servers: ${listed.error}` };
  const found = findNamed(message, listed.result, 'server');
  if ('ask' in found) return { reply: found.ask };
  const tools = outcomeOfCall(calls, 'listTools');
  const serverId = found.thing.id;
  if (tools === undefined) return { call: { operation: 'listTools', arguments: { serverId } } };
  if ('error' in tools)
    return { reply: `I could not read the tools of ${found.thing.name}: ${tools.error}` };
  const name =
    suiteNameIn(message)?.slice(0, longestTitle) ?? `Suite ${input.sha256Hex(message).slice(0, 6)}`;
  const names = [name, ...thingsIn(listed.result).map((server) => server.name)];
  const tests = testsFor(message, names, found.thing, tools.result);
  if (tests.length === 0)
    return { reply: `${found.thing.name} lists no tools, so there is nothing to test.` };
  const suites = outcomeOfCall(calls, 'listEvalSuites');
  if (suites === undefined) return { call: { operation: 'listEvalSuites', arguments: longList } };
  const made = outcomeOfCall(calls, 'createEvalSuite');
  if (made === undefined) {
    const body = { name, serverIds: [serverId], model: lexicalModelId, tests };
    return { call: { operation: 'createEvalSuite', arguments: body } };
  }
  if ('error' in made) return { reply: `I could not create the suite: ${made.error}` };
  const namesakes = 'error' in suites ? [] : namesakesOf(name, made.result, suites.result);
  const cases = tests.length === 1 ? '1 case' : `${tests.length} cases`;
  return {
    reply: `Created the suite ${JSON.stringify(name)} with ${cases} for ${found.thing.name}. No run was started.${namesakes}`,
  };
}

/** Returns a note if other suites have the same name. The created suite itself is ignored. */
function namesakesOf(name: string, made: unknown, listed: unknown): string {
  const id = isRecord(made) ? made['suiteId'] : undefined;
  const others = thingsIn(listed).filter((suite) => suite.name === name && suite.id !== id);
  if (others.length === 0) return '';
  const ids = others.slice(0, 5).map((suite) => suite.id);
  return ` The project already had a suite with this name (${ids.join(', ')}); use the ids to tell them apart, or rename one.`;
}

const mostTests = 100;
const mostDrafted = 5;
const longestTitle = 200;

/**
 * Returns one case for each line of a list in the message. Without a list, returns one for each
 * quoted text that is not a name. Without quoted texts, drafts cases for the server's tools.
 */
function testsFor(message: string, names: readonly string[], server: NamedThing, result: unknown) {
  const lines = listLinesIn(message);
  const texts = quotedTextsIn(message).filter((text) => !names.includes(text));
  const asked = lines.length > 0 ? lines : texts;
  if (asked.length > 0) {
    return asked.slice(0, mostTests).map((prompt) => ({
      title: prompt.slice(0, longestTitle),
      steps: [{ id: 'step-1', kind: 'prompt', prompt }],
    }));
  }
  const mix = { simple: mostDrafted, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };
  return draftCases(toolsIn(server.name, result), { mix }).map((draft) => caseOfDraft(draft));
}

function toolsIn(serverName: string, result: unknown): DraftTool[] {
  const items = isRecord(result) && Array.isArray(result['items']) ? result['items'] : [];
  return items.filter(isRecord).map((item) => toolToDraft(serverName, item));
}
