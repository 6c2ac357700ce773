/** `eval plan` of a suite file, or of files that tests wrote, without a service. */
import { type BodyInputOf, type OutputOf, operations } from '@proofmark/contract';
import { documentForecast, readTestDocument } from '@proofmark/report';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { readGivenFile } from '../../remote/read-given-file.ts';
import { decidedIn } from '../../remote/test-documents.ts';
import { noPlanForLight, type OwnService } from '../test/open-service.ts';
import { readSuiteToTest, suiteFilesOf } from '../test/suite-files.ts';
import { importToTest, tellMistakes } from '../test/test-suite.ts';

type Stated = BodyInputOf<'planEvalSuite'>;
type Plan = Omit<OutputOf<'planEvalSuite'>, 'suiteId'>;

/** The suite is named only if there are several. */
export interface ToldPlan {
  readonly suite?: { readonly id?: string; readonly name: string };
  readonly plan: Plan;
}

export async function planFile(
  file: string,
  stated: Stated,
  own: OwnService | undefined,
): Promise<ToldPlan[]> {
  const suites = readTestDocument(await readGivenFile(file));
  if (suites === undefined) return [{ plan: await planSuiteFile(file, stated, own) }];
  refuseTerms(stated);
  return suites.flatMap(({ key, id, suite: name }) => {
    const test = decidedIn({ file, suites }, key);
    if (test === undefined) return [];
    const planned = documentForecast(test, stated);
    if ('refusal' in planned) throw new UsageProblem(planned.refusal.message);
    const { cases, run } = planned.forecast;
    const plan = { drop: stated.drop, cases: [...cases], run };
    return [
      suites.length === 1 ? { plan } : { suite: { ...(id !== undefined && { id }), name }, plan },
    ];
  });
}

/** The same limits as in a request to a service. */
function refuseTerms(stated: Stated): void {
  const [issue] = operations.planEvalSuite.body.safeParse(stated).error?.issues ?? [];
  if (issue !== undefined) throw new UsageProblem(`${issue.path.join('.')}: ${issue.message}`);
}

/** Its servers are named and neither started nor called. */
async function planSuiteFile(
  file: string,
  stated: Stated,
  own: OwnService | undefined,
): Promise<Plan> {
  if (own === undefined) throw new UsageProblem(noPlanForLight);
  const [named = file] = suiteFilesOf([file]);
  const suite = await readSuiteToTest(named);
  const service = await own.replay(false);
  try {
    const servers = await Promise.all(
      suite.servers.map(async (name) => [name, await service.nameServer(name)] as const),
    );
    const { suiteId } = await importToTest(
      service.connection,
      suite,
      Object.fromEntries(servers),
    ).catch(tellMistakes);
    const { suiteId: _, ...plan } = await service.forecast(suiteId, stated);
    return plan;
  } finally {
    await service.stop();
  }
}
