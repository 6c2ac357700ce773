/**
 * A trial as a reporter sends it, with calls, usage and a short trace. Every third trial fails
 * because of a wrong tool.
 */
export function reportedTrial(externalRunId: string, index: number, cases: number) {
  const city = `City ${index % 97}`;
  const passed = index % 3 !== 0;
  const question = { role: 'user', content: `What is the weather in ${city}?` };
  const made = { toolName: passed ? 'get_weather' : 'get_time', arguments: { city } };
  return {
    caseTitle: `Weather ${index % cases}`,
    caseId: `weather-${index % cases}`,
    externalIterationId: `${externalRunId}-${index + 1}`,
    query: question.content,
    passed,
    durationMs: 800 + (index % 400),
    model: 'small-1',
    provider: 'local',
    expectedToolCalls: [{ toolName: 'get_weather', arguments: { city } }],
    actualToolCalls: [made],
    tokens: { input: 350, output: 40, total: 390 },
    ...(!passed && { error: `The model called ${made.toolName} in place of get_weather.` }),
    trace: {
      messages: [question, { role: 'assistant', content: `It is sunny in ${city}.` }],
      spans: [
        {
          id: `s${index}`,
          name: made.toolName,
          category: 'tool',
          toolName: made.toolName,
          startMs: 10,
          endMs: 90,
          promptIndex: 0,
          status: 'ok',
        },
      ],
    },
  };
}

export interface RunToReport {
  readonly name: string;
  readonly trials: number;
  readonly cases: number;
  readonly legacy?: boolean;
}

/**
 * Prepares the bodies of all requests in advance, so that the measured function only sends them.
 */
export function prepareReport(
  api: { readonly url: string; readonly apiKey: string; readonly projectId: string },
  run: RunToReport,
): () => Promise<string> {
  const post = async (path: string, body: string) => {
    const answer = await fetch(`${api.url}/api/v1/projects/${api.projectId}/eval-ingest/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json' },
      body,
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    return (await answer.json()) as { runId: string };
  };
  const batches: string[] = [];
  for (let start = 0; start < run.trials; start += 200) {
    const length = Math.min(200, run.trials - start);
    const results = Array.from({ length }, (_, index) =>
      reportedTrial(run.name, start + index, run.cases),
    );
    batches.push(JSON.stringify(results));
  }
  const passCriteria = run.legacy ? { passCriteria: { minimumPassRate: 50 } } : {};
  const start = { suiteName: run.name, externalRunId: run.name, ...passCriteria };
  return async () => {
    const { runId } = await post('runs/start', JSON.stringify(start));
    for (const batch of batches) {
      await post('runs/iterations', `{"runId":"${runId}","results":${batch}}`);
    }
    await post('runs/finalize', JSON.stringify({ runId }));
    return runId;
  };
}

export function reportRun(
  api: Parameters<typeof prepareReport>[0],
  run: RunToReport,
): Promise<string> {
  return prepareReport(api, run)();
}
