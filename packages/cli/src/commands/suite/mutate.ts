import { existsSync } from 'node:fs';
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { count, type MutationOperator, mutationOperators, outcomeWords } from '@proofmark/domain';
import { assertionText, mutationEstimateSentence, mutationSentence } from '@proofmark/report';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine, printNotice } from '../../output.ts';
import { collectFlag } from '../../remote/collect-flag.ts';
import { type Connection, remoteCommand, remotely } from '../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { follow } from '../../remote/follow.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import { type TerminalAbility, terminalAbility } from '../../remote/terminal.ts';
import { wholeNumber } from '../../remote/whole-number.ts';
import { readRate } from '../eval/gate.ts';
import { type ServerFlags, withServerFlags } from '../test/chosen-servers.ts';
import { type OwnService, type ServiceFlags, withServiceOrData } from '../test/open-service.ts';
import { mutateFile } from './mutate-file.ts';

type Mutation = OutputOf<'getEvalSuiteMutation'>;

interface Flags extends ServerFlags, ServiceFlags {
  readonly seed?: number;
  readonly max?: number;
  readonly operators?: readonly MutationOperator[];
  readonly model?: string;
  readonly servers?: 'live' | 'recorded';
  readonly run?: string;
  readonly allowWrite?: readonly string[];
  readonly minScore?: number;
  readonly json?: true;
}

export function suiteMutateCommand(own?: OwnService): Command {
  const command = withServerFlags(remoteCommand('mutate'))
    .description(
      'change one thing of the servers at a time, and list the changes that the suite does not notice',
    )
    .argument('<suite>', 'the id or the name of the suite; or a suite file, which needs no service')
    .option(
      '--seed <number>',
      'seed that selects changes if not all are tried (default: 1)',
      wholeNumber,
    )
    .option('--max <number>', 'most changes to try (default: 60)', wholeNumber)
    .option(
      '--operators <names>',
      `only these operators, separated by commas: ${mutationOperators.join(', ')}`,
      readOperators,
    )
    .option(
      '--model <id>',
      'the model; recorded: as in the recordings of the run (default: the lexical model, which is free)',
    )
    .addOption(
      new Option(
        '--servers <side>',
        'recorded: answer from the recordings of the run, without servers',
      ).choices(['live', 'recorded']),
    )
    .option('--run <run>', 'the run with the recordings')
    .option(
      '--allow-write <tool>',
      'a tool held for writing to allow; repeat for more (default: those of the suite)',
      collectFlag,
    )
    .option('--min-score <score>', 'exit with 1 below this score (0 to 1)', readRate)
    .option('--json', 'print the report as JSON')
    .action((wanted: string, flags: Flags) => remotely(() => mutate(wanted, flags, own)));
  return withExamples(
    command,
    'proofmark suite mutate Bookshop',
    'proofmark suite mutate Bookshop --max 20 --min-score 0.8',
    'proofmark suite mutate Bookshop --operators field-missing,wrong-type --json',
    'proofmark suite mutate Bookshop --servers recorded --run run_1f3a',
    'proofmark suite mutate shop.suite.yaml --server-command "node server.js"',
  );
}

function readOperators(text: string): MutationOperator[] {
  return text.split(',').map((name) => {
    const found = mutationOperators.find((one) => one === name.trim());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(
      `There is no mutation operator ${JSON.stringify(name.trim())}; the operators are ${mutationOperators.join(', ')}.`,
    );
  });
}

async function mutate(wanted: string, flags: Flags, own: OwnService | undefined): Promise<number> {
  const printEnded = (ended: Mutation) => {
    if (flags.json) printJson(ended);
    else for (const line of mutationLines(ended, terminalAbility())) printLine(line);
    return mutationExitCode(ended, flags.minScore);
  };
  if (isSuiteFile(wanted)) return mutateFile(wanted, flags, bodyOf(flags), own, printEnded);
  refuseServerFlags(flags);
  return withServiceOrData(flags, own, async (connection) => {
    const { client, projectId } = connection;
    const suiteId = await findSuiteId(connection, wanted);
    const body = bodyOf(flags);
    const begun = await client.createEvalSuiteMutation({ projectId, suiteId, body });
    printNotice(mutationEstimateSentence(begun.estimate));
    const ended = await awaitMutation(connection, suiteId, begun.mutationId);
    return ended === undefined ? exitCodes.other : printEnded(ended);
  });
}

/**
 * Decides between a file and the name of a saved suite. A suite may have any name, even one that
 * looks like a file.
 */
export function isSuiteFile(wanted: string): boolean {
  return /\.(ya?ml|json)$/i.test(wanted) || existsSync(wanted);
}

/** A saved suite has its own servers, so a server flag would have no effect. */
export function refuseServerFlags({ server, serverCommand, from, config }: Flags): void {
  if ([server, serverCommand, from, config].every((flag) => flag === undefined)) return;
  throw new UsageProblem('A saved suite has its own servers; name a server only beside a file.');
}

function bodyOf(flags: Flags): BodyInputOf<'createEvalSuiteMutation'> {
  return {
    ...(flags.seed !== undefined && { seed: flags.seed }),
    ...(flags.max !== undefined && { maxMutants: flags.max }),
    ...(flags.operators !== undefined && { operators: [...flags.operators] }),
    ...(flags.model !== undefined && { model: flags.model }),
    ...(flags.servers !== undefined && { servers: flags.servers }),
    ...(flags.run !== undefined && { runId: flags.run }),
    ...(flags.allowWrite !== undefined && { allowWrites: [...flags.allowWrite] }),
  };
}

function awaitMutation(
  { client, projectId }: Connection,
  suiteId: string,
  mutationId: string,
): Promise<Mutation | undefined> {
  let lastSentence = '';
  return follow<Mutation>({
    ask: () => client.getEvalSuiteMutation({ projectId, suiteId, mutationId }),
    isEnded: ({ status }) => status !== 'pending' && status !== 'running',
    reportProgress(state) {
      const sentence = mutationSentence(state);
      if (sentence !== lastSentence) printNotice(sentence);
      lastSentence = sentence;
    },
    print: printNotice,
    onLost: () => printNotice(`the mutation continues: ${mutationId}`),
  });
}

/** Returns 3 if no mutant was decided, because such a result says nothing about the suite. */
export function mutationExitCode(
  { status, score }: Pick<Mutation, 'status' | 'score'>,
  minScore: number | undefined,
): number {
  if (status !== 'completed') return exitCodes.other;
  if (score.value === null) return exitCodes.other;
  if (minScore === undefined) return exitCodes.passed;
  return score.value < minScore ? exitCodes.failed : exitCodes.passed;
}

export function mutationLines(mutation: Mutation, ability: TerminalAbility): string[] {
  const wrap = sentenceWrapper(ability);
  const survivors = mutation.mutants.filter(({ outcome }) => outcome === 'survived');
  const others = (['undecided', 'equivalent'] as const).flatMap((outcome) => {
    const found = mutation.mutants.filter((one) => one.outcome === outcome).length;
    return found === 0 ? [] : [`${outcomeWords[outcome]}: ${found}.`];
  });
  return [
    ...wrap(mutationSentence(mutation)),
    ...(others.length === 0 ? [] : wrap(others.join(' '))),
    ...mutation.notes.flatMap((note) => wrap(note)),
    ...mutation.leftOut.flatMap(({ title, reason }) =>
      wrap(`Left out, because it fails without a change: ${title}. ${reason}`),
    ),
    ...(survivors.length === 0
      ? []
      : ['', ...wrap(`${count(survivors.length, 'change')} not noticed:`)]),
    ...survivors.flatMap(({ words, nearestCase, suggestion }) => [
      ...wrap(`- ${words}`),
      ...(nearestCase === undefined ? [] : wrap(`Nearest case: ${nearestCase.title}`, '  ')),
      ...(suggestion === undefined
        ? []
        : wrap(`This would notice it: ${assertionText(suggestion.assertion)}`, '  ')),
    ]),
  ];
}
