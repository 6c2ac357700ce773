import { assertionKind, assertionSchema, fails, scopeFields } from './assertion-kind.ts';
import { callsAskedIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { type CallAnswer, everyCall } from './combine-call-answers.ts';
import { listedFor, listingNotCaptured } from './listed-tool.ts';
import { showError } from './redact.ts';
import type { SchemaEngine } from './schema-engine.ts';
import type { ListedTool, ToolCall } from './transcript.ts';

/**
 * The arguments of every call must satisfy the tool's input schema as listed by the server. A call
 * whose arguments are no JSON object violates every schema. Calls that were not made for another
 * reason are ignored.
 */
export const argumentsMatchToolSchema = assertionKind({
  stage: 'call',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('argumentsMatchToolSchema', scopeFields),
  evaluate({ toolName, serverName }, { toolCalls, listedTools }, { schemas }) {
    const scope = { toolName, serverName };
    const calls = callsAskedIn(toolCalls, scope).filter(
      ({ notMade }) => notMade === undefined || notMade === 'invalidArguments',
    );
    return everyCall(calls, (call) => weigh(call, showCallIn(call, scope), listedTools, schemas), {
      none: fails(noCallIn(scope)),
      held: `The arguments of every call${ofScope(scope)} satisfy the listed schema.`,
    });
  },
});

function weigh(
  call: ToolCall,
  shown: string,
  listedTools: readonly ListedTool[] | undefined,
  schemas: SchemaEngine,
): CallAnswer {
  if (call.notMade !== undefined) {
    return { state: 'no', sentence: `The arguments of a call of ${shown} were not a JSON object.` };
  }
  if (listedTools === undefined) return { state: 'unknown', sentence: listingNotCaptured };
  const listed = listedFor(call, listedTools);
  const answers = listed.map(({ inputSchema }) => check(schemas, inputSchema, call, shown));
  const states = new Set(answers.map(({ state }) => state));
  // If several servers may own the tool, the answer is known only if it is the same for all of
  // these servers.
  const [answer] = answers;
  if (answer !== undefined && states.size === 1) return answer;
  const why =
    answer === undefined ? 'no server listed it' : 'the server of the tool was not recorded';
  return { state: 'unknown', sentence: `The arguments of ${shown} were not checked: ${why}.` };
}

function check(
  schemas: SchemaEngine,
  schema: unknown,
  { arguments: given }: ToolCall,
  shown: string,
): CallAnswer {
  if (schema === undefined) {
    const sentence = `The arguments of ${shown} were not checked: its schema is not known.`;
    return { state: 'unknown', sentence };
  }
  const checked = schemas.check(schema, given);
  switch (checked.state) {
    case 'valid':
      return { state: 'yes', sentence: `The arguments of ${shown} satisfy the listed schema.` };
    case 'invalid': {
      const sentence = `The arguments of ${shown} do not satisfy the listed schema: ${showError(checked.problem)}`;
      return { state: 'no', sentence };
    }
    case 'notChecked': {
      const sentence = `The arguments of ${shown} were not checked: ${showError(checked.problem)}`;
      return { state: 'unknown', sentence };
    }
  }
}
