import {
  assertionKind,
  assertionSchema,
  type Finding,
  fails,
  holds,
  positiveCount,
  unanswered,
} from './assertion-kind.ts';
import { listingNotCaptured, showListed } from './listed-tool.ts';
import { showValue } from './redact.ts';
import { schemaProblem } from './schema-problem.ts';
import type { ListedTool } from './transcript.ts';

/** Holds if at least one tool is listed and every listed tool satisfies the condition. */
function everyListed(
  listedTools: readonly ListedTool[] | undefined,
  what: string,
  has: (tool: ListedTool) => boolean,
): Finding {
  if (listedTools === undefined) return unanswered(listingNotCaptured);
  if (listedTools.length === 0) return fails('No tool is listed.');
  const without = listedTools.filter((tool) => !has(tool));
  return without.length === 0
    ? holds(`Every listed tool has ${what}.`)
    : fails(`Listed tools without ${what}: ${showTools(without)}.`);
}

export const toolDescriptionsPresent = assertionKind({
  stage: 'discovery',
  inTurn: 'never',
  schema: assertionSchema('toolDescriptionsPresent', { minLength: positiveCount.optional() }),
  evaluate({ minLength = 1 }, { listedTools }) {
    const enough = minLength === 1 ? 'a description' : `a description of ${minLength} characters`;
    return everyListed(
      listedTools,
      enough,
      ({ description = '' }) => description.trim().length >= minLength,
    );
  },
});

/** Holds if every tool has at least one annotation; an empty annotations object does not count. */
export const toolAnnotationsPresent = assertionKind({
  stage: 'discovery',
  inTurn: 'never',
  schema: assertionSchema('toolAnnotationsPresent', {}),
  evaluate(_, { listedTools }) {
    return everyListed(
      listedTools,
      'annotations',
      ({ annotations = {} }) => Object.keys(annotations).length > 0,
    );
  },
});

/**
 * Names must differ even between servers, because a model cannot distinguish tools of the same
 * name.
 */
export const toolNamesUnique = assertionKind({
  stage: 'discovery',
  inTurn: 'never',
  schema: assertionSchema('toolNamesUnique', {}),
  evaluate(_, { listedTools }) {
    if (listedTools === undefined) return unanswered(listingNotCaptured);
    const names = listedTools.map(({ name }) => name);
    const twice = listedTools.filter(({ name }, index) => names.indexOf(name) < index);
    return twice.length === 0
      ? holds('No two listed tools have the same name.')
      : fails(`Listed more than once: ${showTools(twice)}.`);
  },
});

/** Every input schema must be a well-formed JSON Schema for an object, as MCP requires. */
export const toolInputSchemasWellFormed = assertionKind({
  stage: 'discovery',
  inTurn: 'never',
  schema: assertionSchema('toolInputSchemasWellFormed', {}),
  evaluate(_, { listedTools }) {
    if (listedTools === undefined) return unanswered(listingNotCaptured);
    if (listedTools.length === 0) return fails('No tool is listed.');
    const looked = listedTools.map((tool) => ({ tool, ...inputFault(tool) }));
    const bad = looked.find(({ state }) => state === 'malformed');
    if (bad !== undefined) {
      const reason = `The input schema of ${showListed(bad.tool)} is not well formed: ${showValue(bad.problem)}.`;
      return fails(reason);
    }
    const open = looked.find(({ state }) => state === 'notChecked');
    if (open === undefined) return holds('The input schema of every listed tool is well formed.');
    return unanswered(
      `The input schema of ${showListed(open.tool)} was not checked: ${open.problem}`,
    );
  },
});

function inputFault({ inputSchema }: ListedTool): { state: string; problem: string } {
  if (inputSchema === undefined) return { state: 'malformed', problem: 'There is none.' };
  const isOfObject =
    typeof inputSchema === 'object' &&
    inputSchema !== null &&
    'type' in inputSchema &&
    inputSchema.type === 'object';
  if (!isOfObject) return { state: 'malformed', problem: 'Its type is not object.' };
  const fault = schemaProblem(inputSchema);
  return fault.state === 'wellFormed' ? { ...fault, problem: '' } : fault;
}

export const toolOutputSchemasPresent = assertionKind({
  stage: 'discovery',
  inTurn: 'never',
  schema: assertionSchema('toolOutputSchemasPresent', {}),
  evaluate(_, { listedTools }) {
    return everyListed(listedTools, 'an output schema', ({ outputSchema }) => outputSchema != null);
  },
});

const shownTools = 3;

function showTools(tools: readonly ListedTool[]): string {
  const shown = tools.slice(0, shownTools).map(showListed).join(', ');
  const others = tools.length - shownTools;
  return others > 0 ? `${shown} and ${others} more` : shown;
}
