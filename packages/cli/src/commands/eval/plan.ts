import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { defaultFalseFail, defaultMiss } from '@proofmark/domain';
import { forecastSentences, forecastTitle, runForecastSentences } from '@proofmark/report';
import { type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJsonOfSuites, printLine } from '../../output.ts';
import { type ConnectionFlags, remoteCommand, remotely } from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { groupedLines } from '../../remote/grouped-lines.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import { type TerminalAbility, terminalAbility } from '../../remote/terminal.ts';
import { withTrustFlag } from '../../trust/require-trust.ts';
import { isSuiteFile } from '../suite/mutate.ts';
import { type OwnService, withServiceOrData } from '../test/open-service.ts';
import { planFile, type ToldPlan } from './plan-files.ts';

type Stated = BodyInputOf<'planEvalSuite'>;
type Plan = Omit<OutputOf<'planEvalSuite'>, 'suiteId'>;

interface Flags extends ConnectionFlags, Stated {
  readonly json?: true;
}

export function evalPlanCommand(own?: OwnService): Command {
  const command = withTrustFlag(remoteCommand('plan'))
    .description('show what it takes to see a drop of the pass rate; starts nothing, exits with 0')
    .argument(
      '<suite>',
      'the id or the name of the suite; or a suite file, or a file of `test --json FILE`, which need no service',
    )
    .requiredOption('--drop <rate>', 'the drop to see, such as 0.1', readRate)
    .option(
      '--healthy-rate <rate>',
      'the pass rate of a healthy case (default: of its plan, else 0.95)',
      readRate,
    )
    .option('--false-fail <rate>', 'how often a healthy case may fail (default: 0.05)', readRate)
    .option('--miss <rate>', 'how often the drop may be missed (default: 0.1)', readRate)
    .option('--look <number>', 'the trials between two looks (default: 4)', readLook)
    .option('--json', 'print the plan as JSON')
    .action((wanted: string, flags: Flags) =>
      remotely(async () => {
        const body = statedIn(flags);
        const plans: ToldPlan[] = isSuiteFile(wanted)
          ? await planFile(wanted, body, own)
          : await withServiceOrData(flags, own, async (connection) => {
              const suiteId = await findSuiteId(connection, wanted);
              const { client, projectId } = connection;
              return [{ plan: await client.planEvalSuite({ projectId, suiteId, body }) }];
            });
        if (flags.json) printJsonOfSuites(plans.map(({ suite, plan }) => ({ suite, ...plan })));
        else for (const [at, named] of plans.entries()) printPlan(named, at, body);
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark eval plan Bookshop --drop 0.1',
    'proofmark eval plan Bookshop --drop 0.2 --healthy-rate 0.9 --json',
    'proofmark eval plan shop.suite.yaml --drop 0.1',
  );
}

function printPlan({ suite, plan }: ToldPlan, at: number, stated: Stated): void {
  if (at > 0) printLine();
  if (suite !== undefined) printLine(suite.name);
  for (const line of planLines(plan, stated, terminalAbility())) printLine(line);
}

function statedIn({ drop, healthyRate, falseFail, miss, look }: Flags): Stated {
  return {
    drop,
    ...(healthyRate !== undefined && { healthyRate }),
    ...(falseFail !== undefined && { falseFail }),
    ...(miss !== undefined && { miss }),
    ...(look !== undefined && { look }),
  };
}

export function planLines(plan: Plan, stated: Stated, ability: TerminalAbility): string[] {
  const wrap = sentenceWrapper(ability);
  const { drop, falseFail = defaultFalseFail, miss = defaultMiss } = stated;
  return [
    ...wrap(forecastTitle({ drop, falseFail, miss })),
    ...groupedLines(
      plan.cases.map((one) => ({
        title: `${one.title}${one.model === null ? '' : ` on ${one.model}`}`,
        sentences: forecastSentences(one),
      })),
      wrap,
    ),
    ...runForecastSentences(plan.run).flatMap((sentence) => wrap(sentence)),
  ];
}

function readRate(text: string): number {
  const rate = /^(0?\.\d+)$/.test(text) ? Number(text) : 0;
  if (rate > 0 && rate < 1) return rate;
  throw new InvalidArgumentError('Give a number between 0 and 1, such as 0.1.');
}

function readLook(text: string): number {
  const look = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (look >= 1 && look <= 20) return look;
  throw new InvalidArgumentError('Give a number from 1 to 20.');
}
