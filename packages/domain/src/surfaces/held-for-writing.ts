/**
 * Whether a tool is held for writing: it may change something, so nothing calls it unless a person allowed it by name.
 *
 * `readOnlyHint: true` frees a tool. Any other annotation that admits a change holds it, whatever its name. Otherwise its
 * name and parameters decide: a verb that is never a noun holds it wherever it stands; a first word that reads frees
 * it from words that are nouns as well (`get_commit`, also behind the name of a product: `slack_get_message`); any other
 * word for a change holds it, and so do a parameter that is a program and one that chooses a change. A wrong "held" costs a
 * case, a wrong "free" may cost somebody's data, so doubt holds.
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
  const parameters = isRecord(inputSchema) ? propertiesOf(inputSchema) : [];
  const program = parameters.find(([parameter]) => isProgram(parameter));
  if (program !== undefined) {
    return `not annotated readOnlyHint: true, and its parameter ${program[0]} is a program`;
  }
  const choosing = parameters.find(([parameter, schema]) => choosesChange(name, parameter, schema));
  return (
    choosing &&
    `not annotated readOnlyHint: true, and its parameter ${choosing[0]} may choose a change`
  );
}

function writingWordOf(words: readonly string[]): string | undefined {
  const verb = words.find(isVerbAlone);
  if (verb !== undefined) return verb;
  const [first = '', second = ''] = words;
  if (isReading(words)) {
    // `query_run` and `list_clear` are about a query and a list; `find_and_merge` does two things.
    if (words.length === 2 && readingNouns.has(first) && orders.has(second)) return second;
    return words.find((word, at) => joins.has(words[at - 1] ?? '') && verbsAndNouns.has(word));
  }
  if (words.length === 2 && things.has(first) && ofThings.has(second)) return undefined;
  return words.find((word) => verbsAndNouns.has(word));
}

function isReading([first = '', second = '']: readonly string[]): boolean {
  return readingWords.has(first) || (!verbsAndNouns.has(first) && readingVerbs.has(second));
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

/** One tool for many things: by what its choices say, else by whether its own name reads. */
function choosesChange(name: string, parameter: string, schema: unknown): boolean {
  if (!choosers.has(parameter.toLowerCase())) return false;
  const choices = isRecord(schema) ? (schema['enum'] ?? [schema['const']]) : [];
  const stated = Array.isArray(choices) ? choices.filter((one) => typeof one === 'string') : [];
  if (stated.length === 0) return !isReading(wordsOfName(name));
  return stated.some((choice) =>
    wordsOfName(choice).some((word) => isVerbAlone(word) || verbsAndNouns.has(word)),
  );
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const readingWords = words(
  'check count describe detect diff fetch find get has inspect is list lookup peek preview query read retrieve search show ' +
    'summarize view whoami',
);

/** Those of them that are nouns as well. */
const readingNouns = words('check count diff list preview query search view');
/** Those that are none, so that they read also behind another word. */
const readingVerbs = words('describe fetch get inspect retrieve');
const joins = words('and or then');
const orders = words(
  'clear close import merge move open pause resume rotate run set start stop switch sync toggle trigger update upgrade',
);

const verbsAlone = words(
  'abort acknowledge add adjust amend append apply assign attach authenticate authorize cancel clean cleanup configure ' +
    'cordon create deactivate decrement delete demote deny deploy deregister destroy detach disable discard drain edit eject ' +
    'enable enqueue enroll erase escalate eval evaluate evict exec execute flush generic grant hibernate impersonate increment ' +
    'ingest inject insert install invalidate invoke kill memorize mkdir modify mutate mv nuke onboard overwrite persist prune ' +
    'publish purge put quarantine reboot reconnect recreate redeploy regenerate reindex relocate remediate remove rename ' +
    'reopen replace reprocess rerun reschedule resend reset restart revert revoke rewrite rm rmdir rollback save scrub send ' +
    'shutdown spawn submit sudo suspend teardown terminate truncate unarchive unassign unban uncordon unfollow unfreeze ' +
    'uninstall unlike unlink unmount unpublish unregister unset unshare unstar unsubscribe unsuspend untag upload upsert ' +
    'vacuum wake wipe write zap',
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
  'accept activate allow annotate approve archive backup ban bash bind block book bookmark boot branch broadcast ' +
    'build bump buy call capture cast change charge chat checkout clear click clone close command comment commit ' +
    'complete compose compress confirm connect control copy cut decline defer delegate deposit dial disconnect dismiss ' +
    'dispatch donate download draft drag draw drop duplicate email emit empty emulate enter expire export extend ' +
    'favorite feedback fill finish fix flag flash focus follow force fork forward freeze fund generate goto gzip handle ' +
    'hide hire hover ignore import init initialize interact invite invoice issue join label launch learn leave like ' +
    'link load lock log login logout mail make manage management mark mask merge message migrate mint mount move mute ' +
    'navigate new notify open operate order pair park patch pause pay perform pin place play post power prepare press ' +
    'print process promote provision proxy pull purchase push queue raise react rebase rebuild record recover refresh ' +
    'refund register reject release reload remember remind renew reorder repair reply report request reserve resize ' +
    'resolve respond restore resume retry review revise roll rollout rotate run scale schedule script scroll seal seed ' +
    'select sell set setup share shell shift ship sign silence sms snooze spend sql squash stage star start stash stop ' +
    'store strip subscribe swap sweep swipe switch sync tag taint take tap task terminal toggle topup touch trade train ' +
    'transfer transition trash trigger turn tweet type unblock undo unlock unmute unpin unzip update upgrade visit void ' +
    'vote wire withdraw zip',
);

/** Compounds that name a thing although their first word is a verb as well: `order_status`. */
const things = words('build commit order release run task');
const ofThings = words('details history status');

const programs = words(
  'bash cmd command commands cypher graphql javascript mutation python script shell sql statement statements',
);
const choosers = words('action method op operation subcommand verb');
