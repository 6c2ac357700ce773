/**
 * Chooses the read operation for a question. An operation qualifies only if the question mentions
 * the things that the operation lists. Of these operations, the one whose summary shares most words
 * with the question is chosen.
 */
import { type AgentOperation, agentOperations } from './agent-operations.ts';
import { type LexicalAgentInput, type LexicalAgentStep, notUnderstood } from './lexical-step.ts';
import { findNamed, hasMore, longList, outcomeOfCall, thingsIn } from './named-things.ts';

/**
 * Read operations that the lexical agent can call, each with its required parameter and the list
 * operation that provides values for it.
 */
const readable: Readonly<Partial<Record<AgentOperation, Needed | 'nothing'>>> = {
  listProjectServers: 'nothing',
  listEvalSuites: 'nothing',
  listClients: 'nothing',
  listEnvironments: 'nothing',
  listModels: 'nothing',
  listTools: { parameter: 'serverId', what: 'server', from: 'listProjectServers' },
  listPrompts: { parameter: 'serverId', what: 'server', from: 'listProjectServers' },
  listResources: { parameter: 'serverId', what: 'server', from: 'listProjectServers' },
  listResourceTemplates: { parameter: 'serverId', what: 'server', from: 'listProjectServers' },
  listEvalCases: { parameter: 'suiteId', what: 'suite', from: 'listEvalSuites' },
  listEvalSuiteRuns: { parameter: 'suiteId', what: 'suite', from: 'listEvalSuites' },
};

interface Needed {
  readonly parameter: string;
  readonly what: 'server' | 'suite';
  readonly from: AgentOperation;
}

export function readByWords(input: LexicalAgentInput): LexicalAgentStep {
  const { message, calls, takesLimit } = input;
  const operation = bestRead(input);
  if (operation === undefined) return { reply: notUnderstood };
  const needed = readable[operation];
  const given: Record<string, unknown> = takesLimit(operation) ? { ...longList } : {};
  let subject = '';
  if (needed !== undefined && needed !== 'nothing') {
    const known = outcomeOfCall(calls, needed.from);
    if (known === undefined) return { call: { operation: needed.from, arguments: longList } };
    if ('error' in known)
      return { reply: `I could not look up the ${needed.what}: ${known.error}` };
    const found = findNamed(message, known.result, needed.what);
    if ('ask' in found) return { reply: found.ask };
    given[needed.parameter] = found.thing.id;
    subject = found.thing.name;
  }
  const outcome = outcomeOfCall(calls, operation);
  if (outcome === undefined) return { call: { operation, arguments: given } };
  if ('error' in outcome) return { reply: `I could not read this: ${outcome.error}` };
  const things = thingsIn(outcome.result);
  const heading = headingOf(input.summaryOf(operation), subject);
  if (things.length === 0) return { reply: `${heading}: there are none.` };
  const lines = things.map(({ id, name }) => (id === name ? `- ${name}` : `- ${name} (${id})`));
  if (hasMore(outcome.result)) lines.push('There are more than these.');
  return { reply: `${heading}:\n${lines.join('\n')}` };
}

function headingOf(summary: string, subject: string): string {
  return summary
    .replace(/^List the /, 'The ')
    .replace(/\ba project\b/, 'this project')
    .replace(/\ba (?:server|suite)\b/, () => JSON.stringify(subject));
}

function bestRead({ message, summaryOf }: LexicalAgentInput): AgentOperation | undefined {
  const asked = new Set(wordsOf(message));
  const ranked = agentOperations
    .filter((operation) => readable[operation] !== undefined)
    .map((operation) => {
      const summary = summaryOf(operation);
      const words = [...new Set(wordsOf(summary))];
      return {
        operation,
        listsWhatIsAsked: wordsOf(listedBy(summary)).some((word) => asked.has(word)),
        shared: words.filter((word) => asked.has(word)).length,
        of: words.length,
      };
    })
    .filter(({ listsWhatIsAsked }) => listsWhatIsAsked)
    .sort((one, other) => other.shared - one.shared || one.of - other.of);
  return ranked[0]?.operation;
}

/**
 * Returns the part of a summary that names the listed items: `List the tools` of `List the tools of
 * a server`.
 */
function listedBy(summary: string): string {
  return summary.replace(/ (?:of|that) .*$/, '');
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? [])
    .filter((word) => !common.has(word))
    .map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}

/**
 * Words that do not distinguish operations. `project` is one, because everything belongs to the
 * project.
 */
const common = new Set(
  'a all an and are be can do does for here in is list me my of on project read show that the there this to what which you your'.split(
    ' ',
  ),
);
