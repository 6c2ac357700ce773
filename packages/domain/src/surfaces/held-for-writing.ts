/**
 * Decides whether a tool is held for writing: it may change something, so it is called only if a
 * person allowed it by name.
 *
 * - An annotation that admits a change holds the tool; `destructiveHint: true` wins over
 *   `readOnlyHint: true`.
 * - Otherwise `readOnlyHint: true` frees the tool.
 * - Otherwise its name and parameters decide. A verb that is never a noun (`delete`) always holds
 *   the tool. A word that can be a noun does not hold it after a reading word (`get_commit`,
 *   `slack_get_message`). Any other word for a change holds it, and so does a parameter that
 *   contains a program or chooses a change.
 *
 * A wrong "held" costs a case, and a wrong "free" may cost a user's data, so in doubt a tool is
 * held.
 */
import { wordsOf } from '../assertions/word-f1.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { propertiesOf } from './tool-parameters.ts';
import { wordsOfName } from './word-overlap.ts';

export interface ListedAnnotations {
  readonly name: string;
  readonly annotations?: unknown;
  readonly inputSchema?: unknown;
}

export function isHeldForWriting(tool: ListedAnnotations): boolean {
  return whyHeldForWriting(tool) !== undefined;
}

/**
 * Returns the reason as a clause that follows the tool's name, such as `annotated destructiveHint:
 * true`. Returns undefined if the tool only reads.
 */
export function whyHeldForWriting({
  name,
  annotations,
  inputSchema,
}: ListedAnnotations): string | undefined {
  const stated: Json = isRecord(annotations) ? annotations : {};
  if (stated['destructiveHint'] === true) return 'annotated destructiveHint: true';
  if (stated['readOnlyHint'] === true) return undefined;
  if (stated['readOnlyHint'] === false) return 'annotated readOnlyHint: false';
  const word = writingWordOf(wordsOfToolName(name));
  if (word !== undefined) return `not annotated readOnlyHint: true, and its name says ${word}`;
  const parameters = isRecord(inputSchema) ? propertiesOf(inputSchema) : [];
  const program = parameters.find(([parameter]) => isProgram(parameter));
  if (program !== undefined) {
    return `not annotated readOnlyHint: true, and its parameter ${program[0]} is a program`;
  }
  const choosing = parameters.find(([parameter, schema]) => choosesChange(name, parameter, schema));
  return (
    choosing &&
    `not annotated readOnlyHint: true, and its parameter ${choosing[0]} may select an action that changes something`
  );
}

/**
 * Splits a tool name into words, also inside `HTTPDelete` (before the last of several capitals) and
 * `v2delete` (after digits).
 */
function wordsOfToolName(name: string): string[] {
  return wordsOf(
    name
      .slice(0, longestName)
      .replace(/(\p{Ll}|\p{N})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{N})(?=\p{Ll})/gu, '$& '),
  );
}

const longestName = 2_000;

function writingWordOf(words: readonly string[]): string | undefined {
  const verb = words.find(isVerbAlone);
  if (verb !== undefined) return verb;
  const [first = '', second = ''] = words;
  if (isReading(words)) {
    if (isNoLongerReading(first, second)) return `${first} ${second}`;
    // The second word of `query_run` or `list_clear` may be a command, so it holds the tool. In
    // `find_and_merge`, the word after "and" is a second command.
    if (words.length === 2 && readingNouns.has(first) && orders.has(second)) return second;
    return words.find((word, at) => joins.has(words[at - 1] ?? '') && verbsAndNouns.has(word));
  }
  if (words.length === 2 && things.has(first) && ofThings.has(second)) return undefined;
  return words.find((word) => verbsAndNouns.has(word));
}

function isReading([first = '', second = '']: readonly string[]): boolean {
  return readingWords.has(first) || (!verbsAndNouns.has(first) && readingVerbs.has(second));
}

/**
 * Whether the second word turns reading into a change, as in `checkOut`, `check_in` and `get_rid`.
 */
function isNoLongerReading(first: string, second: string): boolean {
  return (first === 'check' && ['in', 'off', 'out'].includes(second)) || second === 'rid';
}

/**
 * Whether a word is a command to change something. Words without separators count (`deletepage`,
 * `bulkdelete`), but forms such as `deleted` and `updates` do not.
 */
function isVerbAlone(word: string): boolean {
  if (verbsAlone.has(word)) return true;
  return verbsInWords.some((verb) => {
    if (word === verb) return false;
    if (word.endsWith(verb)) return true;
    return word.startsWith(verb) && !inflection.test(word.slice(verb.length));
  });
}

const inflection = /^(s|d|r|rs|ed|er|ers|or|ors|ion|ions|ing|dat|grid)$/;

function isProgram(parameter: string): boolean {
  return wordsOfName(parameter).some((word) => programs.has(word));
}

/**
 * Whether a parameter can select a change in a tool that combines several functions, as `action:
 * "delete"` does. The values of its `enum` or `const` decide; without them, the tool's name does.
 */
function choosesChange(name: string, parameter: string, schema: unknown): boolean {
  if (!choosers.has(parameter.toLowerCase())) return false;
  const choices = isRecord(schema) ? (schema['enum'] ?? [schema['const']]) : [];
  const stated = Array.isArray(choices) ? choices.filter((one) => typeof one === 'string') : [];
  // A `method` parameter without an `enum` may be any HTTP method, even in a tool named `fetch`.
  if (stated.length === 0) return parameter === 'method' || !isReading(wordsOfToolName(name));
  return stated.some((choice) =>
    wordsOfName(choice).some((word) => isVerbAlone(word) || verbsAndNouns.has(word)),
  );
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const readingWords = words(
  'check count describe detect diff fetch find get has inspect is list lookup peek preview query read retrieve search show ' +
    'summarize view whoami',
);

/** Reading words that are also nouns. */
const readingNouns = words('check count diff list preview query search view');
/**
 * Reading words that are never nouns. As the second word of a name, too, they mark a reading tool.
 */
const readingVerbs = words('describe fetch get inspect retrieve');
const joins = words('and or then');
const orders = words(
  'clear close import merge move open pause pop push resume rotate run set start stop switch sync toggle trigger update upgrade',
);

const verbsAlone = words(
  'blacklist cherry deactivateuser decr disarm dropdb expose failover getset halt incr liquidate lset ltrim mkfs mset ' +
    'payout postmessage poweroff putobject redeem reformat reimage reimburse runquery setex setvalue signup unbind unpause ' +
    'unschedule wipedb writefile ' +
    'abort acknowledge add adjust alter amend anonymize append apply assign attach authenticate authorize cancel clean cleanup configure ' +
    'chmod chown cordon cp create dd deactivate decommission decrement del delete demote deny deploy deprovision deregister destroy detach disable discard drain edit eject ' +
    'enable enqueue enroll erase escalate eval evaluate evict exec execute expel flush flushall flushdb forget generic getdel grant hdel hibernate hincrby hset impersonate increment ' +
    'ingest inject insert install invalidate invoke kick kill lpop lpush memorize mkdir modify mutate mv nack nuke nullify obliterate onboard overwrite persist prune ' +
    'publish purge put quarantine reassign reboot reconnect recreate redeploy regenerate reindex relocate remediate remove rename ' +
    'reopen replace reprocess requeue rerun reschedule resend reset restart revert revoke rewrite rm rmdir rollback rpop rpush sadd save scrub send ' +
    'shutdown spawn srem ssh submit sudo suspend teardown terminate truncate unarchive unassign unban uncordon undeploy unfollow unfreeze ' +
    'uninstall unlike unlink unmount unpublish unregister unset unshare unstar unsubscribe unsuspend untag upload upsert ' +
    'vacuum wake wipe write xadd xdel zadd zap zrem',
);

/**
 * Verbs that are found even inside a word, since they are long enough not to be part of unrelated
 * words.
 */
const verbsInWords = [
  'create',
  'delete',
  'remove',
  'destroy',
  'insert',
  'uninstall',
  'overwrite',
  'update',
  'execute',
  'upload',
  'send',
  'write',
  'deactivate',
];

/**
 * Words for a change that are also nouns or adjectives. They hold a tool unless the name begins
 * with a reading word.
 */
const verbsAndNouns = words(
  'accept ack action activate allow annotate approve archive backup ban bash bind block book bookmark boot branch bid bridge bring broadcast ' +
    'build bulk bump burn buy call capture cast change charge chat checkout claim clear click clone close command comment commit compact ' +
    'complete compose compress computer confirm connect control copy cut decline defer delegate deposit dial disconnect dismiss ' +
    'dispatch do donate downgrade download draft drag draw drop duplicate editor email emit empty emulate enter expire export extend ' +
    'favorite feedback fill finish fix flag flash focus follow force fork format forward freeze fund garbage gc generate goto graphql gzip handle ' +
    'hide hire hover ignore import init initialize input interact interpreter invite invoice issue join label launch learn leave like ' +
    'link load lock log login logout mail make manage management mark mask merge message migrate mint mutation mount move mute ' +
    'navigate new notify open operate optimize order pair park patch pause pay perform pin place play post power prepare press ' +
    'print process promote provision proxy pull purchase push queue raise react rebase rebuild record recover redact refresh ' +
    'refund register reject release reload remember remind renew reorder repair repl replicate reply report request reserve resize ' +
    'resolve respond restore resume retire retry review revise roll rollout rotate rsvp run scale schedule script scroll seal seed seek ' +
    'select sell set setup share shell shift ship sign silence skip sms snooze spend sql squash stage stake star start stash stop ' +
    'store strip subscribe swap sweep swipe switch sync tag taint take tap task tear terminal toggle topup touch track trade train ' +
    'transfer transition trash trigger turn tweet type unblock undo unlock unmute unpin unzip update upgrade visit void ' +
    'vote wire withdraw zip',
);

/**
 * First words of names such as `order_status`. The first word could be a verb, but the whole name
 * means a thing.
 */
const things = words('build commit order release run task');
const ofThings = words('details history status');

const programs = words(
  'bash cmd command commands cypher graphql javascript mutation python script shell sql statement statements',
);
const choosers = words('action method op operation subcommand verb');
