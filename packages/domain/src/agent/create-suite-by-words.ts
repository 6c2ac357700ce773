/** A suite for one server, from a message: its name, its server and its cases. What is not clear is asked for. */
import { lexicalModelId } from '../clients/lexical-model.ts';
import { draftCases } from '../drafting/draft-cases.ts';
import { caseOfDraft, type DraftTool, toolToDraft } from '../drafting/drafted-case.ts';
import { isRecord } from '../kernel/json.ts';
import type { LexicalAgentInput, LexicalAgentStep } from './lexical-step.ts';
import { findNamed, type NamedThing, outcomeOfCall, thingsIn } from './named-things.ts';

export function createSuite(input: LexicalAgentInput): LexicalAgentStep {
  const { message, calls } = input;
  const listed = outcomeOfCall(calls, 'listProjectServers');
  if (listed === undefined) return { call: { operation: 'listProjectServers', arguments: {} } };
  if ('error' in listed) return { reply: `I could not read the servers: ${listed.error}` };
  const found = findNamed(message, thingsIn(listed.result), 'server');
  if ('ask' in found) return { reply: found.ask };
  const tools = outcomeOfCall(calls, 'listTools');
  const serverId = found.thing.id;
  if (tools === undefined) return { call: { operation: 'listTools', arguments: { serverId } } };
  if ('error' in tools)
    return { reply: `I could not read the tools of ${found.thing.name}: ${tools.error}` };
  const name = nameIn(message) ?? `Suite ${input.sha256Hex(message).slice(0, 6)}`;
  const tests = testsFor(message, name, found.thing, tools.result);
  if (tests.length === 0)
    return { reply: `${found.thing.name} lists no tools, so there is nothing to ask for.` };
  const made = outcomeOfCall(calls, 'createEvalSuite');
  if (made === undefined) {
    const body = { name, serverIds: [serverId], model: lexicalModelId, tests };
    return { call: { operation: 'createEvalSuite', arguments: body } };
  }
  if ('error' in made) return { reply: `I could not create the suite: ${made.error}` };
  const cases = tests.length === 1 ? '1 case' : `${tests.length} cases`;
  return {
    reply: `Created the suite ${JSON.stringify(name)} with ${cases} for ${found.thing.name}. No run was started.`,
  };
}

const mostTests = 100;
const mostDrafted = 5;
const longestTitle = 200;
const quoted = /"([^"\n]+)"|“([^”\n]+)”/g;

function nameIn(message: string): string | undefined {
  const match = /\b(?:called|named)\s+(?:"([^"\n]+)"|“([^”\n]+)”)/i.exec(message);
  return (match?.[1] ?? match?.[2])?.trim() || undefined;
}

/** One for each line of a list, else for each quoted text, else by the drafter from the tools. */
function testsFor(message: string, name: string, server: NamedThing, result: unknown) {
  const lines = [...message.matchAll(/^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+(\S.*)$/gm)].map(
    ([, line = '']) => line.trim(),
  );
  const texts = [...message.matchAll(quoted)]
    .map(([, straight, curly]) => (straight ?? curly ?? '').trim())
    .filter((text) => text !== '' && text !== name && text !== server.name);
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
