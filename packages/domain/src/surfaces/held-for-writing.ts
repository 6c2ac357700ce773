/**
 * Whether a tool is held for writing: it may change something, so nothing calls it unless a person allowed it by name.
 *
 * `readOnlyHint: true` frees a tool. Any other annotation that admits a change holds it, whatever its name. Otherwise its
 * name and parameters decide: a verb that is never a noun holds it wherever it stands; a first word that reads frees
 * it from words that are nouns as well (`get_commit`); any other word for a change holds it. A wrong "held" costs a case,
 * a wrong "free" may cost somebody's data, so doubt holds.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { propertiesOf } from './tool-parameters.ts';
import { wordsOfName } from './word-overlap.ts';

/** A tool as its server lists it. */
export interface ListedAnnotations {
  readonly name: string;
  readonly annotations?: unknown;
  readonly inputSchema?: unknown;
}

export function isHeldForWriting(tool: ListedAnnotations): boolean {
  return whyHeldForWriting(tool) !== undefined;
}

/** As a clause after the tool's name: `annotated destructiveHint: true`. Absent where the tool only reads. */
export function whyHeldForWriting({
  name,
  annotations,
  inputSchema,
}: ListedAnnotations): string | undefined {
  const stated: Json = isRecord(annotations) ? annotations : {};
  if (stated['readOnlyHint'] === true) return undefined;
  if (stated['destructiveHint'] === true) return 'annotated destructiveHint: true';
  if (stated['readOnlyHint'] === false) return 'annotated readOnlyHint: false';
  const word = writingWordOf(wordsOfName(name));
  if (word !== undefined) return `not annotated readOnlyHint: true, and its name says ${word}`;
  const program = isRecord(inputSchema)
    ? propertiesOf(inputSchema).find(([parameter]) => isProgram(parameter))
    : undefined;
  return (
    program && `not annotated readOnlyHint: true, and its parameter ${program[0]} is a program`
  );
}

function writingWordOf(words: readonly string[]): string | undefined {
  const verb = words.find(isVerbAlone);
  if (verb !== undefined) return verb;
  const [first, second] = words;
  if (first === undefined || readingWords.has(first)) return undefined;
  if (words.length === 2 && things.has(first) && ofThings.has(second ?? '')) return undefined;
  return words.find((word) => verbsAndNouns.has(word));
}

/** Also where words are written together (`deletepage`); forms like `deleted` and `updates` are no orders. */
function isVerbAlone(word: string): boolean {
  if (verbsAlone.has(word)) return true;
  const verb = verbsThatBegin.find((one) => word.startsWith(one));
  return verb !== undefined && !/^(s|d|r|rs|ed|or|ors|ion|ions|ing)$/.test(word.slice(verb.length));
}

function isProgram(parameter: string): boolean {
  return wordsOfName(parameter).some((word) => programs.has(word));
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const readingWords = words(
  'check count describe detect diff fetch find get has inspect is list lookup peek preview query read retrieve search show ' +
    'summarize view whoami',
);

const verbsAlone = words(
  'add append apply assign attach cancel clean cleanup configure cordon create deactivate delete deploy destroy detach ' +
    'disable drain edit eject empty enable erase eval evaluate exec execute generic grant ingest insert install invoke kill ' +
    'mkdir modify mutate mv overwrite prune publish purge put reboot redeploy reindex remove rename reopen replace reset restart ' +
    'revert revoke rm rmdir rollback save send shutdown spawn submit sudo teardown terminate truncate unassign uninstall ' +
    'unlink unpublish unset unsubscribe upload upsert wipe write',
);

/** Long enough to begin no other word. */
const verbsThatBegin = [
  'create',
  'delete',
  'remove',
  'destroy',
  'insert',
  'uninstall',
  'overwrite',
];

/** Words for a change that are nouns or adjectives, too: they hold a tool unless its first word reads. */
const verbsAndNouns = words(
  'accept activate allow approve archive ban bash block book branch build buy call change charge chat checkout clear click ' +
    'clone close command comment commit complete confirm connect control copy decline dial disconnect dismiss dispatch ' +
    'donate download drag drop email expire export fill finish follow force fork forward generate hire import ' +
    'init initialize invite issue join label launch leave like lock log login logout mail make manage mark merge message ' +
    'migrate mint move mute navigate notify open operate order park patch pause pay perform pin place play post press process ' +
    'promote proxy provision pull purchase push queue react rebase record refund register reject release renew reorder ' +
    'repair reply report request reserve resize resolve restore resume retry rotate run scale schedule script seed ' +
    'set setup share shell sign sms spend sql squash stage star start stop store subscribe swap switch sync tag taint ' +
    'task toggle touch train transfer transition trigger tweet type unblock undo unlock unmute unpin update upgrade vote ' +
    'withdraw',
);

/** Compounds that name a thing although their first word is a verb as well: `order_status`. */
const things = words('build commit order release run task');
const ofThings = words('details history status');

const programs = words('bash cmd command commands script shell sql statement statements');
