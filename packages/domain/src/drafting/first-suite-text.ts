/**
 * Writes a first suite for a server as a readable file. It has checks that suit every server, a
 * request for each of a few tools that only read, and one message that needs no call. Requests are
 * drafted from the tools' own descriptions. Tools that may write, tools that only widgets may call
 * and tools without a sample are left out, and listed with the reason. Invented arguments are
 * marked as samples.
 */
import { cleanText } from '../words/clean-text.ts';
import { draftCases } from './draft-cases.ts';
import { draftableTools } from './draftable-tools.ts';
import type { DraftedCase, DraftTool } from './drafted-case.ts';

export interface FirstSuite {
  readonly serverName: string;
  readonly tools: readonly DraftTool[];
  readonly model: string;
}

const mostCases = 6;
/** The maximum number of tools with a widget that are added to the first six. */
const mostWidgets = 20;
const mostTold = 50;

export function firstSuiteText({ serverName, tools, model }: FirstSuite): string {
  const { tools: reading, leftOut } = draftableTools(tools);
  const chosen = [
    ...reading.slice(0, mostCases),
    ...reading
      .slice(mostCases)
      .filter(({ widget }) => widget !== undefined)
      .slice(0, mostWidgets),
  ];
  const drafts = draftCases(chosen, { mix: { ...none, simple: chosen.length, negative: 1 } });
  const taken = new Set<string>(['surface']);
  return [
    ...head(serverName, model),
    ...drafts.flatMap((draft) => caseText(draft, taken)),
    ...(leftOut.length === 0 ? [] : ['', ...leftOutText(leftOut)]),
    ...(reading.length > chosen.length ? ['', ...moreTools(tools.length)] : []),
    '',
  ].join('\n');
}

const none = { simple: 0, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };

function head(serverName: string, model: string): string[] {
  return [
    `# A first suite for ${cleanText(serverName, false)}: run it with \`proofmark test\`.`,
    '# Every request is worded as the tool describes itself; put in what your users say.',
    'schemaVersion: "1"',
    'suite:',
    `  id: ${idOf(serverName)}`,
    `  name: ${quoted(serverName)}`,
    'target:',
    '  servers:',
    `    - name: ${quoted(serverName)}`,
    'defaults:',
    '  # Built in: it goes by words alone and is no LLM. Name one of your models here.',
    `  model: ${model}`,
    '  repetitions: 1',
    '  # Tools that may change something and may be called all the same, by name; any other',
    '  # such tool is refused when it is called.',
    '  allowWrites: []',
    'cases:',
    '  - id: surface',
    '    title: Every tool says what it does',
    '    steps:',
    '      - kind: assert',
    '        assertion:',
    '          type: toolDescriptionsPresent',
  ];
}

function leftOutText(leftOut: readonly { readonly toolName: string; readonly reason: string }[]) {
  const told = leftOut.slice(0, mostTold);
  return [
    '  # Left out; a tool that may change something needs its name in allowWrites above:',
    ...told.map(({ toolName, reason }) => `  #   ${cleanText(`${toolName}: ${reason}`, false)}`),
    ...(leftOut.length > told.length ? [`  #   and ${leftOut.length - told.length} more`] : []),
  ];
}

function moreTools(amount: number): string[] {
  return [`  # The server lists ${amount} tools; write cases for the others as above.`];
}

function caseText({ bucket, title, turns }: DraftedCase, taken: Set<string>): string[] {
  const isNegative = bucket === 'negative';
  const hasSamples = turns.some(({ expected }) =>
    expected.some((call) => isMadeUp(call.arguments)),
  );
  // The title mentions the widget and sample values, since they are possible causes of a failure.
  const shows = turns.some(({ renders = [] }) => renders.length > 0) ? ' and shows its widget' : '';
  const about = `Finds ${title}${shows}${hasSamples ? ', with sample values' : ''}`;
  const steps = turns.flatMap(({ prompt, expected, renders = [] }) => [
    '      - kind: prompt',
    `        prompt: ${quoted(prompt)}`,
    ...expected.flatMap(({ toolName, arguments: args }) => [
      '      - kind: assert',
      '        assertion:',
      '          type: toolCalledWith',
      `          toolName: ${quoted(toolName)}`,
      ...(isMadeUp(args) ? ['          # Samples: put values that your server knows.'] : []),
      `          arguments: ${JSON.stringify(args)}`,
    ]),
    ...renders.flatMap((toolName) => [
      '      - kind: assert',
      '        assertion:',
      '          type: widgetRendered',
      `          toolName: ${quoted(toolName)}`,
    ]),
  ]);
  return [
    '',
    ...(isNegative ? ['  # Nothing to do for any tool: none should be called.'] : []),
    `  - id: ${freeId(idOf(isNegative ? 'small-talk' : title), taken)}`,
    `    title: ${quoted(isNegative ? 'Small talk calls no tool' : about)}`,
    ...(isNegative ? ['    isNegativeTest: true'] : []),
    '    steps:',
    ...steps,
  ];
}

function isMadeUp(args: unknown): boolean {
  return JSON.stringify(args).includes('sample');
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
}

function idOf(text: string): string {
  const id = text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);
  return id === '' ? 'server' : id;
}

/** Returns a text without quotes if YAML would read it as the same text, otherwise with quotes. */
function quoted(text: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9 _/().,'-]*[A-Za-z0-9.)]$/.test(text);
  const isWord = /^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain && !isWord && text.length < 200 ? text : JSON.stringify(text);
}
