/**
 * What breaks the rules of a revision in a server's answers. Each rule is reported once for each
 * method, however many values break it. A rule applies only to the revisions that have it:
 *
 * - The fields `resultType`, `ttlMs` and `cacheScope` belong to the modern revisions.
 * - Annotations exist since 2025-03-26.
 * - An invalid `x-mcp-header` hides a tool only over HTTP at the modern revisions.
 * - How a revision is refused is prescribed only to servers that speak a modern one.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { excludedCount, excludeTools, mustExclude } from '../surfaces/excluded-tools.ts';
import { count, grouped } from '../words/sentence.ts';
import { isModernRevision } from './protocol-revisions.ts';

/** The JSON-RPC code with which a server refuses a revision that it does not speak. */
export const unsupportedVersion = -32022;

export const revisionRules = [
  'result-type-missing',
  'ttl-missing',
  'ttl-negative',
  'cache-scope',
  'list-order-unstable',
  'version-error',
  'server-info-missing',
  'completion',
  'annotations',
  'header-parameter-invalid',
] as const;
export type RevisionRule = (typeof revisionRules)[number];

export interface RevisionProblem {
  readonly rule: RevisionRule;
  readonly method: string;
  readonly message: string;
}

export interface SeenAnswer {
  readonly method: string;
  readonly result: Json;
}

export interface SeenAtRevision {
  readonly revision: string;
  readonly transport: string;
  /** The answer that opened the connection: to `server/discover` or `initialize`. */
  readonly opening: SeenAnswer | undefined;
  /** The answers to lists. */
  readonly answers: readonly SeenAnswer[];
  /** The listed tools; undefined if they could not be listed. */
  readonly tools?: readonly Json[] | undefined;
  /** The tools of another listing of the same server. */
  readonly toolsAgain?: readonly Json[] | undefined;
  /** Absent if no completion was requested. */
  readonly completion?: SeenCompletion | undefined;
  /** Absent if no unknown revision was requested. */
  readonly refusal?: SeenRefusal | undefined;
}

export type SeenCompletion = { readonly result: Json } | { readonly failure: string };

/** How a server answered a request at a revision that it does not speak. */
export interface SeenRefusal {
  readonly method: string;
  /** The requested revision. */
  readonly revision: string;
  readonly code?: number | undefined;
  readonly data?: unknown;
  /** Whether there was a result in place of a refusal. */
  readonly isAccepted?: boolean;
}

export function revisionProblems(seen: SeenAtRevision): RevisionProblem[] {
  const found = [
    ...(isModernRevision(seen.revision) ? answersOf(seen).flatMap(modernProblems) : []),
    ...orderProblems(seen),
    ...(seen.refusal === undefined ? [] : refusalProblems(seen.refusal)),
    ...serverInfoProblems(seen),
    ...completionProblems(seen),
    ...annotationProblems(seen),
    ...headerProblems(seen),
  ];
  const known = new Set<string>();
  const first = found.filter(({ rule, method }) => {
    const key = `${rule} ${method}`;
    return known.has(key) ? false : known.add(key);
  });
  return first.sort(
    (one, other) => revisionRules.indexOf(one.rule) - revisionRules.indexOf(other.rule),
  );
}

function answersOf({ opening, answers, completion }: SeenAtRevision): readonly SeenAnswer[] {
  const completed = completion !== undefined && 'result' in completion ? [completion] : [];
  return [
    ...(opening === undefined ? [] : [opening]),
    ...answers,
    ...completed.map(({ result }) => ({ method: completing, result })),
  ];
}

function modernProblems({ method, result }: SeenAnswer): RevisionProblem[] {
  const problem = (rule: RevisionRule, message: string) => ({ rule, method, message });
  const found: RevisionProblem[] = [];
  if (result['resultType'] === undefined) {
    found.push(problem('result-type-missing', 'The result has no resultType.'));
  }
  if (!cacheable.has(method)) return found;
  const { ttlMs, cacheScope } = result;
  if (typeof ttlMs !== 'number') {
    found.push(problem('ttl-missing', 'The result has no number as its ttlMs.'));
  } else if (ttlMs < 0) {
    found.push(problem('ttl-negative', `The ttlMs is ${ttlMs}, which is negative.`));
  }
  if (cacheScope !== 'public' && cacheScope !== 'private') {
    const message =
      cacheScope === undefined
        ? 'The result has no cacheScope.'
        : `The cacheScope is ${shown(cacheScope)}, and neither "public" nor "private".`;
    found.push(problem('cache-scope', message));
  }
  return found;
}

function orderProblems({ tools, toolsAgain }: SeenAtRevision): RevisionProblem[] {
  if (tools === undefined || toolsAgain === undefined) return [];
  const moved = movedTools(tools, toolsAgain);
  if (moved.length === 0) return [];
  const message = `Two lists had different orders, beginning with ${shown(moved[0])}.`;
  return [{ rule: 'list-order-unstable', method: 'tools/list', message }];
}

/**
 * Returns the tools whose position differs between the two listings; empty if the listings contain
 * different tools.
 */
export function movedTools(first: readonly Json[], again: readonly Json[]): string[] {
  const names = first.map((tool) => String(tool['name']));
  const others = again.map((tool) => String(tool['name']));
  const isSame = names.toSorted().join('\n') === others.toSorted().join('\n');
  return isSame ? names.filter((name, at) => name !== others[at]) : [];
}

export function refusalProblems(refusal: SeenRefusal): RevisionProblem[] {
  const { method, revision, code, isAccepted = false } = refusal;
  if (isAccepted || isProperRefusal(refusal)) return [];
  const how =
    code === unsupportedVersion
      ? `with code ${code}, but its data has no list of the supported revisions`
      : `${code === undefined ? 'without an error code' : `with code ${code}`}, and not with ${unsupportedVersion}`;
  const message = `The server refuses revision ${revision} ${how}.`;
  return [{ rule: 'version-error', method, message }];
}

function isProperRefusal({ code, data }: Pick<SeenRefusal, 'code' | 'data'>): boolean {
  if (code !== unsupportedVersion || !isRecord(data)) return false;
  const { supported } = data;
  return Array.isArray(supported) && supported.every((one) => typeof one === 'string');
}

function serverInfoProblems({ opening, revision }: SeenAtRevision): RevisionProblem[] {
  if (opening === undefined) return [];
  const { method, result } = opening;
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  const stated = isModernRevision(revision)
    ? (meta[serverInfoKey] ?? result['serverInfo'])
    : result['serverInfo'];
  const isNamed =
    isRecord(stated) && typeof stated['name'] === 'string' && typeof stated['version'] === 'string';
  if (isNamed) return [];
  const message = 'The server states no name and version of its own.';
  return [{ rule: 'server-info-missing', method, message }];
}

function completionProblems({ completion }: SeenAtRevision): RevisionProblem[] {
  const message = completion && completionFault(completion);
  return message === undefined ? [] : [{ rule: 'completion', method: completing, message }];
}

function completionFault(completion: SeenCompletion): string | undefined {
  if ('failure' in completion) return `The request failed: ${completion.failure}`;
  const { completion: answered } = completion.result;
  const values = isRecord(answered) ? answered['values'] : undefined;
  const isList = Array.isArray(values) && values.every((one) => typeof one === 'string');
  if (!isList) return 'The result has no list of texts as its values.';
  if (values.length <= mostCompletions) return undefined;
  return `The result has ${grouped(values.length)} values, more than ${mostCompletions}.`;
}

function annotationProblems({ revision, tools = [] }: SeenAtRevision): RevisionProblem[] {
  if (revision < firstWithAnnotations) return [];
  const faults = tools.flatMap(({ name, annotations }) => {
    const fault = isRecord(annotations) ? annotationFault(annotations) : undefined;
    return fault === undefined ? [] : [{ name: shown(name), fault }];
  });
  const [first] = faults;
  if (first === undefined) return [];
  const others = faults.length - 1;
  const more = others === 0 ? '' : ` The same list has ${count(others, 'further fault')}.`;
  const message = `${first.fault} (tool ${first.name}).${more}`;
  return [{ rule: 'annotations', method: 'tools/list', message }];
}

function annotationFault(annotations: Json): string | undefined {
  const wrong = hints.find(
    (hint) => annotations[hint] !== undefined && typeof annotations[hint] !== 'boolean',
  );
  if (wrong !== undefined) return `${wrong} is ${shown(annotations[wrong])}, and no boolean`;
  const contradicts =
    annotations['readOnlyHint'] === true && annotations['destructiveHint'] === true;
  return contradicts ? 'readOnlyHint and destructiveHint are both true' : undefined;
}

function headerProblems({ revision, transport, tools = [] }: SeenAtRevision): RevisionProblem[] {
  if (!mustExclude({ protocolVersion: revision, transport })) return [];
  const { excluded } = excludeTools(tools);
  const [first] = excluded;
  if (first === undefined) return [];
  const message = `${excludedCount(excluded)}; ${shown(first.toolName)}: ${first.message}`;
  return [{ rule: 'header-parameter-invalid', method: 'tools/list', message }];
}

/**
 * Returns the parameters of a request for completions, for the first argument of a prompt or the
 * first variable of a resource template; undefined if there is nothing to complete.
 */
export function completable(
  prompts: readonly Json[],
  templates: readonly Json[],
): Json | undefined {
  for (const { name, arguments: parameters } of prompts) {
    const first: unknown = Array.isArray(parameters) ? parameters[0] : undefined;
    if (!isRecord(first) || typeof first['name'] !== 'string') continue;
    return { ref: { type: 'ref/prompt', name }, argument: { name: first['name'], value: '' } };
  }
  for (const { uriTemplate: uri } of templates) {
    const variable = /\{[+#./;?&]?([A-Za-z0-9_]+)/.exec(String(uri))?.[1];
    if (variable === undefined) continue;
    return { ref: { type: 'ref/resource', uri }, argument: { name: variable, value: '' } };
  }
  return undefined;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}

const completing = 'completion/complete';
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';
const firstWithAnnotations = '2025-03-26';
const mostCompletions = 100;
const longestShown = 60;
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const cacheable: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
