/**
 * `suite mutate` for a suite file. The suite is imported into memory, without a service, and its
 * servers are selected as in `proofmark test`.
 */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { mutationEstimateSentence, mutationSentence } from '@proofmark/report';
import { printNotice } from '../../output.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { chosenServers, type ServerFlags } from '../test/chosen-servers.ts';
import { seldom } from '../test/follow-test.ts';
import {
  type MutatingService,
  noMutationForLight,
  type OwnService,
  type ServiceFlags,
} from '../test/open-service.ts';
import { bindSuite, serverSaver } from '../test/saved-servers.ts';
import { serversForSuites } from '../test/server-choice.ts';
import {
  agreeToScorers,
  readSuiteToTest,
  type SuiteToTest,
  suiteFilesOf,
} from '../test/suite-files.ts';
import { importToTest, tellMistakes } from '../test/test-suite.ts';
import { untilInterrupted } from '../test/until-interrupted.ts';

type Mutation = OutputOf<'getEvalSuiteMutation'>;
type Body = BodyInputOf<'createEvalSuiteMutation'>;

/** `printEnded` prints the finished mutation and returns the exit code. */
export async function mutateFile(
  file: string,
  flags: ServerFlags & ServiceFlags,
  body: Body,
  own: OwnService | undefined,
  printEnded: (ended: Mutation) => number,
): Promise<number> {
  if (own === undefined) throw new UsageProblem(noMutationForLight);
  if (body.servers === 'recorded' || body.model === 'recorded' || body.runId !== undefined) {
    throw new UsageProblem(
      'Recordings are stored with the run of a service; name the suite of that run instead of a file.',
    );
  }
  if (flags.url !== undefined) {
    throw new UsageProblem('A suite file is mutated without a service; remove --url.');
  }
  const [named = file] = suiteFilesOf([file]);
  const suite = await readSuiteToTest(named);
  const chosen = await chosenServers(flags);
  const serversFor = serversForSuites(chosen, flags);
  const servers = await serversFor(suite);
  await bindSuite(suite, servers, servers && (async () => ''));
  await agreeToScorers(suite, flags);
  const options = { ...flags, isTyped: chosen?.isTyped ?? false };
  return untilInterrupted(async (interruption) => {
    const opened = await own.mutate(options);
    const stop = new AbortController();
    try {
      const save = servers && serverSaver(opened, servers);
      const serverIds = await bindSuite(suite, servers, save);
      const played = play(opened, suite, serverIds, body, stop.signal).then(printEnded);
      return await Promise.race([played, interruption.code]);
    } finally {
      stop.abort();
      await opened.stop();
    }
  }, own.stopAtOnce);
}

async function play(
  opened: MutatingService,
  suite: SuiteToTest,
  serverIds: Record<string, string> | undefined,
  body: Body,
  signal: AbortSignal,
): Promise<Mutation> {
  const { suiteId } = await importToTest(opened.connection, suite, serverIds).catch(tellMistakes);
  const printSeldom = seldom(printNotice);
  return opened.mutate(suiteId, body, {
    signal,
    onEstimate: (estimate) => printNotice(mutationEstimateSentence(estimate)),
    onState: (state) => printSeldom(mutationSentence(state)),
  });
}
