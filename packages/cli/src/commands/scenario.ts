import type { OutputOf } from '@proofmark/contract';
import { cleanText, count } from '@proofmark/domain';
import { Command } from 'commander';
import { given } from '../remote/create-command.ts';
import { doCommand } from '../remote/do-command.ts';
import { findEnvironmentIds, findScenarioId } from '../remote/find-id.ts';
import { listingCommand } from '../remote/listing-command.ts';
import { showCommand } from '../remote/show-command.ts';

export function scenarioCommand(): Command {
  return new Command('scenario')
    .description('publish environments with a share link, and close them')
    .addCommand(list())
    .addCommand(show())
    .addCommand(publish())
    .addCommand(unpublish())
    .addCommand(rotate())
    .addCommand(invite());
}

function list(): Command {
  return listingCommand<OutputOf<'listScenarios'>['items'][number]>({
    description: 'list the published scenarios of a project',
    readPage: ({ client, projectId }, page) => client.listScenarios({ projectId, ...page }),
    none: 'There are no scenarios. Publish an environment: proofmark scenario publish NAME',
    header: ['ID', 'OPEN TO', 'NAME'],
    row: ({ id, mode, name }, ascii) => [id, mode ?? '', cleanText(name, ascii)],
  });
}

function show(): Command {
  return showCommand<OutputOf<'getScenario'>>({
    what: 'scenario',
    description: 'show a scenario: its environment, its visitors and its link',
    read: async (connection, wanted) =>
      connection.client.getScenario({
        projectId: connection.projectId,
        scenarioId: await findScenarioId(connection, wanted),
      }),
    facts: (scenario) => [
      ['Scenario', scenario.name],
      ['Id', scenario.id],
      ['Open to', scenario.mode ?? 'nobody'],
      ['Link', scenario.link?.url ?? 'none'],
      ['Client', scenario.hostName ?? 'unknown'],
      ['Model', scenario.modelId ?? 'unknown'],
      ['Servers', scenario.serverNames.join(', ') || 'none'],
      ['Credentials', credentialsOf(scenario)],
      ['Approval', scenario.requireToolApproval ? 'visitors approve each call' : 'calls just run'],
      ['Guests', guestsOf(scenario)],
      ...(scenario.environmentError
        ? [['Closed', scenario.environmentError.message] as const]
        : []),
    ],
  });
}

function credentialsOf({ credentialedServerNames }: OutputOf<'getScenario'>): string {
  if (credentialedServerNames.length === 0) return 'none are used';
  return `visitors act with those saved for ${credentialedServerNames.join(', ')}`;
}

function guestsOf({ guestExecution }: OutputOf<'getScenario'>): string {
  if (!guestExecution?.enabled) return 'only models without a cost';
  return `at most ${count(guestExecution.dailyCreditCap, 'credit')} a day`;
}

interface PublishOptions {
  readonly name?: string;
  readonly description?: string;
  readonly mode?: 'project_members' | 'invited_only' | 'anyone_with_link';
}

function publish(): Command {
  return doCommand<OutputOf<'publishScenario'>, PublishOptions>({
    name: 'publish',
    description: 'publish an environment; again, show its scenario',
    arguments: [['environment', 'the id or the name of the environment']],
    act: async (connection, [wanted = ''], { name, description, mode }) => {
      const { client, projectId } = connection;
      const [environmentId = ''] = await findEnvironmentIds(connection, [wanted]);
      const body = given({ name, description, mode });
      return client.publishScenario({ projectId, environmentId, body });
    },
    sentences: ({ name, mode, link, created, overridesIgnored }) => [
      `${created ? 'Published' : 'Published before:'} ${name}, open to ${mode}.`,
      ...(overridesIgnored ? ['The scenario existed already; the flags were ignored.'] : []),
      `Link: ${link}`,
    ],
  })
    .option('--name <name>', 'the name for visitors (default: the name of the environment)')
    .option('--description <text>', 'its description')
    .option(
      '--mode <mode>',
      'project_members, invited_only or anyone_with_link (default: project_members)',
    );
}

function unpublish(): Command {
  return doCommand<OutputOf<'unpublishScenario'>>({
    name: 'unpublish',
    description: 'close the scenario of an environment for good; its link stops at once',
    arguments: [['environment', 'the id or the name of the environment']],
    act: async (connection, [wanted = '']) => {
      const { client, projectId } = connection;
      const [environmentId = ''] = await findEnvironmentIds(connection, [wanted]);
      return client.unpublishScenario({ projectId, environmentId });
    },
    sentences: ({ deleted, id }) => [
      deleted ? `Scenario ${id} is closed.` : 'This environment has no scenario.',
    ],
  });
}

function rotate(): Command {
  return doCommand<OutputOf<'rotateScenarioLink'>>({
    name: 'rotate',
    description:
      'give a scenario a new link; the old one stops at once, and admitted visitors stay',
    arguments: [['scenario', 'the id or the name of the scenario']],
    act: async (connection, [wanted = '']) =>
      connection.client.rotateScenarioLink({
        projectId: connection.projectId,
        scenarioId: await findScenarioId(connection, wanted),
        body: {},
      }),
    sentences: ({ link }) => [`Link: ${link}`],
  });
}

function invite(): Command {
  return doCommand<OutputOf<'upsertScenarioMember'>, { mail?: true }>({
    name: 'invite',
    description: 'invite an e-mail address to a scenario with a one-time link',
    arguments: [
      ['scenario', 'the id or the name of the scenario'],
      ['email', 'the e-mail address'],
    ],
    act: async (connection, [wanted = '', email = ''], { mail }) =>
      connection.client.upsertScenarioMember({
        projectId: connection.projectId,
        scenarioId: await findScenarioId(connection, wanted),
        body: { email, ...(mail && { sendInviteEmail: true }) },
      }),
    sentences: ({ email, invited, inviteUrl, mode }) => [
      `Invited ${email}${invited ? ' by mail' : '. Send this link; it is valid for seven days'}.`,
      ...(mode === 'invited_only' ? [] : ['The invitation works when the mode is invited_only.']),
      `Link: ${inviteUrl}`,
    ],
  }).option('--mail', 'send the link by mail, if the operator set up mail');
}
