/**
 * Saves the sample server, its suite and its simulated users in the Default project, once per
 * installation, so that deleted parts stay deleted. If another server already has the name, there
 * is no sample.
 */
import { organizationFeatures, sampleServerName } from '@proofmark/domain';
import { insertCases } from '../../features/evals/store/eval-cases.ts';
import { insertSuite } from '../../features/evals/store/eval-suites.ts';
import { findFirstOwner, recordSample, type Sample } from '../../features/evals/store/sample.ts';
import { findProjectOfOperator } from '../../features/servers/store/operator-servers.ts';
import { insertServer } from '../../features/servers/store/servers.ts';
import { setFeature } from '../../platform/accounts/store/organizations.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId } from './sample-parts.ts';
import type { SampleSuite } from './sample-suite.ts';
import { seedSampleSwarm } from './seed-sample-swarm.ts';

export async function seedSample(
  owner: Database,
  serverUrl: string,
  seeded: SampleSuite,
): Promise<Sample | null> {
  const project = await findProjectOfOperator(owner, undefined);
  const accountId = project && (await findFirstOwner(owner, project.organizationId));
  if (project === undefined || accountId === undefined) return null;
  return owner.transaction(async (sql) => {
    const { organizationId } = project;
    const ids = { organizationId, projectId: project.id };
    const serverId = newId('server');
    const saved = await insertServer(sql, owner.vault, {
      ...ids,
      id: serverId,
      name: sampleServerName,
      enabled: true,
      url: serverUrl,
      timeoutMs: null,
      maxMessageMiB: null,
      clientCapabilities: null,
      useOAuth: false,
      oauthScopes: [],
      oauthResourceUrl: null,
      clientId: null,
      headers: { kind: 'drop' },
      clientSecret: { kind: 'drop' },
    });
    if (saved === 'nameTaken') return recordSample(sql, null);
    const { cases, ...suite } = seeded;
    const suiteId = newId('evalSuite');
    await insertSuite(sql, {
      ...ids,
      ...suite,
      id: suiteId,
      serverIds: [serverId],
      createdBy: accountId,
    });
    await insertCases(
      sql,
      { organizationId, suiteId },
      cases.map((definition) => ({ id: newId('evalCase'), definition })),
    );
    // The sample belongs to a service for one person, who gets all features to try.
    for (const feature of organizationFeatures)
      await setFeature(sql, organizationId, feature, true);
    const journeyId = await seedSampleSwarm(sql, ids, serverId, newId);
    return recordSample(sql, {
      ...ids,
      serverId,
      suiteId,
      accountId,
      ...(journeyId !== undefined && { journeyId }),
    });
  });
}
