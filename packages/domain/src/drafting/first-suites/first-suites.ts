/**
 * Drafts the first two suites of a server: prompts for a model, and a server contract (a suite
 * without a model). Each read-only tool gets two prompts made of its name, and three contract
 * cases: it answers sample values, refuses forbidden arguments, and does not crash on edge values.
 */
import { saysDeprecated } from '../../assertions/says-deprecated.ts';
import type { Json } from '../../kernel/json.ts';
import { draftableTools, holdsMark } from '../draftable-tools.ts';
import type { DraftTool } from '../drafted-case.ts';
import { argumentFault, sampleArguments } from '../sample-value.ts';
import { formsOf } from '../schema-forms.ts';
import { edgeArguments, forbiddenArguments } from './contract-values.ts';
import { promptsByName } from './prompts-by-name.ts';
import { type SampleAnswer, type SampleCall, whySampleRefused } from './sample-answer.ts';

export interface ListedSample {
  readonly tools: readonly DraftTool[];
  readonly answers: readonly SampleAnswer[];
}

export interface PromptDraft {
  readonly id: string;
  readonly title: string;
  readonly prompt: string;
  readonly call: SampleCall;
  readonly rendersWidget: boolean;
  /** Whether the tool may refuse the arguments, as long as it does not crash. */
  readonly mayRefuse: boolean;
}

export interface ContractDraft {
  readonly id: string;
  readonly title: string;
  /** `answers` and `edges` make their calls in one turn. Every call of `refuses` must fail. */
  readonly kind: 'answers' | 'refuses' | 'edges';
  readonly calls: readonly SampleCall[];
  /** The reason why the case is written to the file but not run. */
  readonly whyDisabled?: string;
}

export interface LeftOutOfDraft {
  readonly name: string;
  readonly reason: string;
}

export interface FirstSuites {
  readonly prompts: readonly PromptDraft[];
  readonly contract: readonly ContractDraft[];
  readonly leftOut: readonly LeftOutOfDraft[];
}

/** The maximum number of tools with cases; two files of a few hundred cases stay readable. */
const mostTools = 60;

/** Returns one sample call for each read-only tool. The answers decide which cases make sense. */
export function sampleCalls(listed: readonly DraftTool[]): SampleCall[] {
  return sampled(listed).map(({ tool, sample }) => ({ toolName: tool.name, arguments: sample }));
}

export function draftFirstSuites({ tools: listed, answers }: ListedSample): FirstSuites {
  const { tools, leftOut } = draftableTools(listed);
  const answerOf = new Map(answers.map((answer) => [answer.toolName, answer]));
  const beyond = tools.slice(mostTools).map(({ name }) => ({
    name,
    reason: `the suites have cases for ${mostTools} tools`,
  }));
  const ids = new Ids();
  const drafts = sampled(listed).map((one) => draftsFor(one, answerOf.get(one.tool.name), ids));
  const contract = drafts.flatMap((one) => one.contract);
  return {
    prompts: drafts.flatMap(({ prompts }) => prompts),
    contract,
    leftOut: [
      ...leftOut.map(({ toolName, reason }) => ({ name: toolName, reason })),
      ...beyond,
      ...drafts.flatMap((one) => one.leftOut),
    ],
  };
}

interface SampledTool {
  readonly tool: DraftTool;
  readonly sample: Json;
}

function sampled(listed: readonly DraftTool[]): SampledTool[] {
  return draftableTools(listed)
    .tools.slice(0, mostTools)
    .flatMap((tool) => {
      const found = sampleArguments(tool.inputSchema);
      return 'problem' in found ? [] : [{ tool, sample: found.arguments }];
    });
}

function draftsFor(
  { tool, sample }: SampledTool,
  answer: SampleAnswer | undefined,
  ids: Ids,
): FirstSuites {
  const refused = whySampleRefused(answer);
  const isLate = answer?.outcome === 'late';
  const prompts = promptDrafts(tool, sample, refused !== undefined, ids);
  const contract = contractDrafts(tool, sample, ids).map((one) =>
    one.kind === 'answers' && refused !== undefined ? { ...one, whyDisabled: refused } : one,
  );
  const leftOut = refused === undefined ? [] : [{ name: tool.name, reason: refused }];
  const sampleFault = argumentFault(tool.inputSchema, sayableOf(sample));
  if (sampleFault !== undefined && !isLate) {
    const reason = 'a prompt made of names cannot state an argument that the tool requires';
    return { prompts: [], contract, leftOut: [...leftOut, { name: tool.name, reason }] };
  }
  if (isLate) return { prompts: [], contract: [], leftOut };
  if (saysDeprecated(tool.description ?? '')) {
    const reason = 'its description says that it is deprecated, so no prompt asks for it';
    return { prompts: [], contract, leftOut: [...leftOut, { name: tool.name, reason }] };
  }
  return { prompts, contract, leftOut };
}

function promptDrafts(tool: DraftTool, sample: Json, isRefused: boolean, ids: Ids): PromptDraft[] {
  const { name, widget } = tool;
  const sayable = sayableOf(sample);
  const more = withChoice(tool, sayable);
  const [plain] = promptsByName(name, sayable);
  const [, polite] = promptsByName(name, more);
  const rendersWidget = widget !== undefined;
  const first = {
    id: ids.free(name),
    // The title mentions the widget, since the widget is a possible cause of a failure.
    title: `Finds ${name}${rendersWidget ? ' and shows its widget' : ''}`,
    prompt: plain,
    call: { toolName: name, arguments: sayable },
    rendersWidget,
    mayRefuse: isRefused || Object.keys(sayable).length < Object.keys(sample).length,
  };
  const second = {
    id: ids.free(`${name}-2`),
    title: `Finds ${name} in other words`,
    prompt: polite,
    call: { toolName: name, arguments: more },
    rendersWidget: false,
    mayRefuse: first.mayRefuse || more !== sayable,
  };
  return [first, second];
}

/** A request states arguments as `name: value`, so objects and empty lists are left out. */
function sayableOf(sample: Json): Json {
  const isScalar = (value: unknown) => typeof value !== 'object' && value !== '';
  const isSayable = (value: unknown) =>
    Array.isArray(value) ? value.length > 0 && value.every(isScalar) : isScalar(value);
  return Object.fromEntries(Object.entries(sample).filter(([, value]) => isSayable(value)));
}

/** Adds a value for the first optional parameter with an `enum`. */
function withChoice({ inputSchema }: DraftTool, sample: Json): Json {
  const [form] = formsOf({ type: 'object', ...inputSchema }, inputSchema);
  const properties = Object.entries((form?.['properties'] ?? {}) as Json);
  for (const [name, schema] of properties) {
    const choices = (schema as Json | undefined)?.['enum'];
    const choice = Array.isArray(choices)
      ? choices.find((one) => typeof one === 'string' && one !== '' && !holdsMark(one))
      : undefined;
    if (choice !== undefined && !Object.hasOwn(sample, name)) return { ...sample, [name]: choice };
  }
  return sample;
}

function contractDrafts(tool: DraftTool, sample: Json, ids: Ids): ContractDraft[] {
  const { name } = tool;
  const callsWith = (list: readonly Json[]) =>
    list.map((args) => ({ toolName: name, arguments: args }));
  const drafts = [
    {
      id: ids.free(`${name}-answers`),
      title: `${name} answers ${Object.keys(sample).length > 0 ? 'sample values' : 'a call'}`,
      kind: 'answers' as const,
      calls: callsWith([sample]),
    },
    {
      id: ids.free(`${name}-refuses`),
      title: `${name} refuses what its input schema forbids`,
      kind: 'refuses' as const,
      calls: callsWith(forbiddenArguments(tool, sample)),
    },
    {
      id: ids.free(`${name}-edges`),
      title: `${name} does not crash`,
      kind: 'edges' as const,
      calls: callsWith(edgeArguments(tool, sample)),
    },
  ];
  return drafts.filter(({ calls }) => calls.length > 0);
}

class Ids {
  readonly #taken = new Set(['surface', 'small-talk']);

  free(wanted: string): string {
    const base = idOf(wanted);
    let id = base;
    for (let number = 2; this.#taken.has(id); number += 1) id = `${base}-${number}`;
    this.#taken.add(id);
    return id;
  }
}

export function idOf(text: string): string {
  const id = text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);
  return id === '' ? 'server' : id;
}
