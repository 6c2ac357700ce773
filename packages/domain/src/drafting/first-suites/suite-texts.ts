/**
 * Writes the first two suites of a server as readable files in the short form. Both state how the
 * server is reached and allow no tool that may write.
 */
import { callText } from '../../suites/short-form/call-text.ts';
import type { SuiteServer } from '../../suites/suite-server.ts';
import { cleanText } from '../../words/clean-text.ts';
import { smallTalk } from '../small-talk.ts';
import { type ContractDraft, type FirstSuites, idOf, type PromptDraft } from './first-suites.ts';
import type { SampleCall } from './sample-answer.ts';

export interface SuiteHead {
  readonly serverName: string;
  /** The id of the suite in its file (default: the name of the server as an id). */
  readonly suiteId?: string;
  readonly reached: Omit<SuiteServer, 'name'>;
  readonly model: string;
}

export interface SuiteTexts {
  readonly prompts: string;
  readonly contract: string;
}

export function firstSuiteTexts(drafts: FirstSuites, head: SuiteHead): SuiteTexts {
  const shown = cleanText(head.serverName, false);
  const id = head.suiteId ?? idOf(head.serverName);
  const left = leftOutLines(drafts.leftOut);
  return {
    prompts: [
      `# Prompts for ${shown}: run them with \`proofmark test\`.`,
      '# Each is made of the names of a tool and its parameters; put in what your users say.',
      'schemaVersion: "1"',
      'suite:',
      `  id: ${quoted(id)}`,
      `  name: ${quoted(head.serverName)}`,
      ...targetLines(head),
      'defaults:',
      '  # Built in: it goes by words alone and is no LLM. Name one of your models here.',
      `  model: ${head.model}`,
      ...writesLines,
      'cases:',
      ...drafts.prompts.flatMap(promptLines),
      ...smallTalkLines(drafts.prompts.length > 0),
      ...left,
      '',
    ].join('\n'),
    contract: [
      `# What every answer of ${shown} must keep: calls without a model.`,
      'schemaVersion: "1"',
      'mode: serverContract',
      'suite:',
      `  id: ${quoted(`${id}-contract`)}`,
      `  name: ${quoted(`${head.serverName} contract`)}`,
      ...targetLines(head),
      'defaults:',
      ...writesLines,
      'cases:',
      ...surfaceLines,
      ...drafts.contract.flatMap(contractLines),
      ...left,
      '',
    ].join('\n'),
  };
}

function targetLines({ serverName, reached }: SuiteHead): string[] {
  const { url, headers, command, args, env, cwd } = reached;
  const stated = { url, headers, command, args, env, cwd };
  return [
    'target:',
    '  servers:',
    `    - name: ${quoted(serverName)}`,
    ...Object.entries(stated).flatMap(([key, value]) =>
      value === undefined
        ? []
        : [`      ${key}: ${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`],
    ),
  ];
}

const writesLines = [
  '  # Tools that may change something and may be called all the same, by name; any other',
  '  # such tool is refused when it is called.',
  '  allowWrites: []',
];

const surfaceLines = [
  '  - id: surface',
  '    title: Every tool says what it does',
  '    steps:',
  '      - kind: assert',
  '        assertion:',
  '          type: toolDescriptionsPresent',
];

function promptLines(draft: PromptDraft): string[] {
  const { id, title, prompt, call, rendersWidget, mayRefuse } = draft;
  const assertions = [
    ...(mayRefuse ? ['      - type: toolDoesNotCrash'] : []),
    ...(rendersWidget
      ? ['      - type: widgetRendered', `        toolName: ${quoted(call.toolName)}`]
      : []),
  ];
  return [
    `  - id: ${quoted(id)}`,
    `    title: ${quoted(shortened(title))}`,
    `    ask: ${quoted(prompt)}`,
    `    calls: ${writtenCall(call)}`,
    ...(assertions.length > 0 ? ['    assertions:', ...assertions] : []),
    '',
  ];
}

function smallTalkLines(hasOthers: boolean): string[] {
  const [prompt = ''] = smallTalk;
  return [
    ...(hasOthers ? ['  # Nothing to do for any tool: none should be called.'] : []),
    '  - id: small-talk',
    '    title: Small talk calls no tool',
    '    isNegativeTest: true',
    `    ask: ${quoted(prompt)}`,
    '    calls: []',
  ];
}

function contractLines(draft: ContractDraft): string[] {
  const { id, title, kind, calls, whyDisabled } = draft;
  const head = ['', `  - id: ${quoted(id)}`];
  if (whyDisabled !== undefined) {
    const disabledTitle = `${title} (${whyDisabled})`;
    return [
      ...head,
      '    # Put values that the server knows, and remove disabled.',
      `    title: ${quoted(shortened(disabledTitle))}`,
      '    disabled: true',
      ...callLines(calls),
      ...assertion('noToolErrors'),
    ];
  }
  const titled = [...head, `    title: ${quoted(shortened(title))}`];
  if (kind === 'refuses') return [...titled, ...refusedLines(calls)];
  const type = kind === 'answers' ? 'noToolErrors' : 'toolDoesNotCrash';
  return [...titled, ...callLines(calls), ...assertion(type)];
}

function assertion(type: string): string[] {
  return ['    assertions:', `      - type: ${type}`];
}

function callLines(calls: readonly SampleCall[]): string[] {
  const [call, another] = calls;
  if (call === undefined) return [];
  if (another === undefined) return [`    call: ${writtenCall(call)}`];
  return ['    call:', ...calls.map((one) => `      - ${writtenCall(one)}`)];
}

/** Every call that must fail is written as a separate turn. */
function refusedLines([first, ...others]: readonly SampleCall[]): string[] {
  if (first === undefined) return [];
  return [
    `    call: ${writtenCall(first)}`,
    '    fails: true',
    ...(others.length > 0 ? ['    then:'] : []),
    ...others.flatMap((call) => [`      - call: ${writtenCall(call)}`, '        fails: true']),
  ];
}

function writtenCall({ toolName, arguments: args }: SampleCall): string {
  const call = callText({ tool: toolName, arguments: args });
  if (typeof call !== 'string') return JSON.stringify(call);
  return call.includes('(') ? `'${call.replaceAll("'", "''")}'` : quoted(call);
}

function leftOutLines(leftOut: FirstSuites['leftOut']): string[] {
  if (leftOut.length === 0) return [];
  const shown = leftOut.slice(0, mostShown);
  return [
    '  # Left out; a tool that may change something needs its name in allowWrites above:',
    ...shown.map(({ name, reason }) => `  #   ${cleanText(`${name}: ${reason}`, false)}`),
    ...(leftOut.length > shown.length ? [`  #   and ${leftOut.length - shown.length} more`] : []),
  ];
}

const mostShown = 50;
const longestTitle = 200;

function shortened(title: string): string {
  const cleaned = cleanText(title, false);
  return cleaned.length > longestTitle ? `${cleaned.slice(0, longestTitle - 1)}…` : cleaned;
}

const yamlWord = /^(true|false|null|yes|no|on|off|y|n)$/i;

function quoted(text: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9 _/().,'-]*[A-Za-z0-9.)]$/.test(text);
  return isPlain && !yamlWord.test(text) && text.length < 200 ? text : JSON.stringify(text);
}
