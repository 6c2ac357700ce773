/** What the listed tools are like, whatever is called: the surface that a server shows. */
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
import { schemaFault } from './schema-fault.ts';
import type { ListedTool } from './transcript.ts';

type Seen = 'yes' | 'no' | 'unknown';

/** Holds where every listed tool says yes, and some tool is listed. */
function everyListed(
  listedTools: readonly ListedTool[] | undefined,
  look: (tool: ListedTool) => Seen,
  words: { readonly held: string; readonly failed: string; readonly open: string },
): Finding {
  if (listedTools === undefined) return unanswered(listingNotCaptured);
  if (listedTools.length === 0) return fails('No tool is listed.');
  const without = listedTools.filter((tool) => look(tool) === 'no');
  if (without.length > 0) return fails(`${words.failed}: ${showTools(without)}.`);
  const open = listedTools.filter((tool) => look(tool) === 'unknown');
  if (open.length > 0) return unanswered(`${words.open}: ${showTools(open)}.`);
  return holds(words.held);
}

export const toolDescriptionsPresent = assertionKind({
  schema: assertionSchema('toolDescriptionsPresent', { minLength: positiveCount.optional() }),
  evaluate({ minLength = 1 }, { listedTools }) {
    const enough = minLength === 1 ? 'a description' : `a description of ${minLength} characters`;
    return everyListed(
      listedTools,
      ({ description, isCut }) =>
        seen((description?.trim().length ?? 0) >= minLength, description === undefined && isCut),
      {
        held: `Every listed tool has ${enough}.`,
        failed: `Listed tools without ${enough}`,
        open: 'Their description was not kept',
      },
    );
  },
});

/** At least one annotation; an empty object declares nothing. */
export const toolAnnotationsPresent = assertionKind({
  schema: assertionSchema('toolAnnotationsPresent', {}),
  evaluate(_, { listedTools }) {
    return everyListed(
      listedTools,
      ({ annotations, isCut }) =>
        seen(Object.keys(annotations ?? {}).length > 0, annotations === undefined && isCut),
      {
        held: 'Every listed tool declares annotations.',
        failed: 'Listed tools without annotations',
        open: 'Their annotations were not kept',
      },
    );
  },
});

/** Over all servers: a model that is offered two tools of one name cannot tell them apart. */
export const toolNamesUnique = assertionKind({
  schema: assertionSchema('toolNamesUnique', {}),
  evaluate(_, { listedTools }) {
    if (listedTools === undefined) return unanswered(listingNotCaptured);
    const names = listedTools.map(({ name }) => name);
    const twice = listedTools.filter(({ name }, index) => names.indexOf(name) < index);
    return twice.length === 0
      ? holds('No two listed tools have one name.')
      : fails(`Listed more than once: ${showTools(twice)}.`);
  },
});

/** Written as a JSON Schema, and of an object, as the protocol asks. */
export const toolInputSchemasWellFormed = assertionKind({
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
      `The input schema of ${showListed(open.tool)} was not looked at: ${open.problem}`,
    );
  },
});

function inputFault({ inputSchema, isCut }: ListedTool): { state: string; problem: string } {
  if (inputSchema === undefined) {
    return isCut === true
      ? { state: 'notChecked', problem: 'It was not kept.' }
      : { state: 'malformed', problem: 'There is none.' };
  }
  const isOfObject =
    typeof inputSchema === 'object' &&
    inputSchema !== null &&
    'type' in inputSchema &&
    inputSchema.type === 'object';
  if (!isOfObject) return { state: 'malformed', problem: 'Its type is not object.' };
  const fault = schemaFault(inputSchema);
  return fault.state === 'wellFormed' ? { ...fault, problem: '' } : fault;
}

export const toolOutputSchemasPresent = assertionKind({
  schema: assertionSchema('toolOutputSchemasPresent', {}),
  evaluate(_, { listedTools }) {
    return everyListed(
      listedTools,
      ({ outputSchema, isCut }) =>
        seen(
          outputSchema !== undefined && outputSchema !== null,
          outputSchema === undefined && isCut,
        ),
      {
        held: 'Every listed tool has an output schema.',
        failed: 'Listed tools without an output schema',
        open: 'Whether they have an output schema was not kept',
      },
    );
  },
});

function seen(isThere: boolean, isUnknown: boolean | undefined): Seen {
  if (isThere) return 'yes';
  return isUnknown === true ? 'unknown' : 'no';
}

const shownTools = 3;

function showTools(tools: readonly ListedTool[]): string {
  const shown = tools.slice(0, shownTools).map(showListed).join(', ');
  const others = tools.length - shownTools;
  return others > 0 ? `${shown} and ${others} more` : shown;
}
