/**
 * The parts of user testing journeys: one service, one browser, a signed-in owner, a tool whose
 * answers can be held, and scripted models.
 */
import { writeFileSync } from 'node:fs';
import {
  openBrowser,
  type SilentConnections,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  makeReporterKey,
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  createReadyWorkspace,
  createSharedWorkspace,
  type ServingHere,
} from './ready-workspace.ts';

export interface PublishedLink {
  readonly id: string;
  readonly environmentId: string;
  readonly link: string;
  readonly place: string;
}

export interface Published extends PublishedLink {
  readonly hostId: string;
}

export interface UserTestingStage {
  readonly workspace: ServingHere;
  readonly service: ServiceHere;
  readonly browser: Browser;
  readonly owner: SilentConnections;
  readonly projectUrl: string;
  readonly ask: ProjectApi;
  readonly stock: StockServers;
  readonly models: OpenAiServer;
  publish(publishOptions: {
    name: string;
    mode?: string;
    modelId?: string;
    serverIds?: readonly string[];
    config?: object;
  }): Promise<Published>;
  publishAgain(environmentId: string, mode?: string): Promise<PublishedLink>;
  somebody(options?: BrowserContextOptions): Promise<SilentConnections>;
  stop(): Promise<void>;
}

/** Models are offered as `local/NAME`. Only models with a price cost credits. */
export async function startUserTestingStage(
  scripts: Readonly<Record<string, ModelScript>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<UserTestingStage> {
  const stock = await startStockServers();
  const models = await startOpenAiServer(scripts);
  // The sample needs the embedded database.
  const workspace =
    environment['PROOFMARK_SAMPLE'] === 'on' ? createReadyWorkspace() : createSharedWorkspace();
  const price = (name: string) => (name === 'dear' ? 1000 : 0);
  const offered = Object.keys(scripts).map((name) => ({
    name,
    inputPerMillion: price(name),
    outputPerMillion: price(name),
  }));
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.baseUrl };
  writeFileSync(
    `${workspace.folder}/proofmark.config.json`,
    JSON.stringify({ modelProviders: [{ ...provider, models: offered }] }),
  );
  const service = await workspace.serveHere([], {
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_BRAKES: 'off',
    PROOFMARK_SETTLE_MS: '0',
    PROOFMARK_MINING_DEBOUNCE_MS: '0',
    ...environment,
  });
  const { apiKey } = await makeReporterKey(workspace);
  await workspace.admin('set-feature', 'My organization', 'user-testing', 'on');
  const browser = await openBrowser();
  const owner = await watchedPage(browser, service.url);
  await owner.page.goto(
    service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '',
  );
  await link(owner.page, 'Default').click();
  await link(owner.page, 'Evals').waitFor();
  const projectUrl = owner.page.url().split('?')[0] as string;
  const ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  const held = { name: 'stock', enabled: true, transportType: 'http', url: stock.url };
  const { id: heldId } = await ask('POST', 'servers', held);

  const publishAgain: UserTestingStage['publishAgain'] = async (
    environmentId,
    mode = 'anyone_with_link',
  ) => {
    const made = await ask('PUT', `environments/${environmentId}/scenario`, { mode });
    return { ...made, place: `user-testing/scenarios/${made.id}` };
  };
  return {
    workspace,
    service,
    browser,
    owner,
    projectUrl,
    ask,
    stock,
    models,
    publishAgain,
    async publish({ name, mode, modelId = 'proofmark/lexical-1', serverIds = [heldId], config }) {
      const client = { name, config: { modelId, serverIds, ...config } };
      const { id: hostId } = await ask('POST', 'clients', client);
      const { id: environmentId } = await ask('POST', 'environments', { name, hostId });
      return { ...(await publishAgain(environmentId, mode)), hostId };
    },
    somebody: (options) => watchedPage(browser, service.url, options),
    async stop() {
      stock.release();
      await browser.close();
      await service.stop();
      await workspace.remove();
      await Promise.all([stock.stop(), models.stop()]);
    },
  };
}

export const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
export const notice = (page: Page, text: string) =>
  page.getByRole('status').getByText(text).first().waitFor();

export const visitState = (page: Page, name: string) =>
  page.locator(`main[data-state="${name}"]`).waitFor();

export async function closedWith(page: Page, words: string): Promise<void> {
  await visitState(page, 'closed');
  await page.locator('main').getByText(words).waitFor();
}

export async function enter(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await visitState(page, 'notice');
  await button(page, 'Accept').click();
  await visitState(page, 'chatting');
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await button(page, 'Send').click();
}

export async function sendAndAwaitAnswer(page: Page, text: string): Promise<void> {
  const before = await page.locator('.turn').count();
  await say(page, text);
  await page.locator('.turn').nth(before).waitFor();
  await button(page, 'Send').waitFor();
}
