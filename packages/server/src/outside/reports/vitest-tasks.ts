// Reads Vitest's task tree: `files`, each with `tasks`, which are tests or suites with further
// tasks. A test passed if its state is "pass"; a skipped, todo or unexecuted test has no result. An
// error of a file or suite itself (it could not be loaded, or a hook failed) is an error of the
// report.
import type { JsonReader } from './json-reader.ts';
import { ReportProblem, reportLimits } from './report.ts';
import type { Outcome, ReportBuilder } from './report-builder.ts';

export function readTaskFiles(json: JsonReader, builder: ReportBuilder): void {
  if (json.peek() !== '[') throw new ReportProblem('The field files is not a list of test files.');
  const read = { tasks: 0 };
  json.array(() => addTask(readTask(json, read), [], builder, true));
}

interface Task {
  type: string;
  name: string;
  mode: string;
  state: string;
  durationMs: number | undefined;
  error: string;
  tasks: Task[];
}

// The name of a suite may follow its tasks in the file, so a whole file is read before its tests
// are added.
function readTask(json: JsonReader, read: { tasks: number }): Task {
  read.tasks += 1;
  if (read.tasks > reportLimits.tests) {
    const limit = reportLimits.tests.toLocaleString('en');
    throw new ReportProblem(`The report holds more than ${limit} tasks; send it in parts.`);
  }
  const task: Task = {
    type: '',
    name: '',
    mode: '',
    state: '',
    durationMs: undefined,
    error: '',
    tasks: [],
  };
  json.object({
    type: () => {
      task.type = json.string() ?? '';
    },
    name: () => {
      task.name = (json.string() ?? '').slice(0, reportLimits.titleLength);
    },
    mode: () => {
      task.mode = json.string() ?? '';
    },
    tasks: () => json.array(() => task.tasks.push(readTask(json, read))),
    result: () => readResult(json, task),
  });
  return task;
}

function readResult(json: JsonReader, task: Task): void {
  json.object({
    state: () => {
      task.state = json.string() ?? '';
    },
    duration: () => {
      task.durationMs = json.number();
    },
    errors: () => json.array(() => readError(json, task)),
  });
}

function readError(json: JsonReader, task: Task): void {
  let message: string | undefined;
  let stack: string | undefined;
  if (json.peek() === '{') {
    json.object({
      message: () => {
        message = json.string();
      },
      stack: () => {
        stack = json.string();
      },
    });
  } else {
    message = json.string();
  }
  const text = stack && message && stack.includes(message) ? stack : (message ?? stack ?? '');
  if (task.error.length < reportLimits.errorLength) {
    task.error += (task.error === '' ? '' : '\n') + text.slice(0, reportLimits.errorLength);
  }
}

function addTask(task: Task, ancestors: string[], builder: ReportBuilder, isFile: boolean): number {
  if (!isFile && (task.type === 'test' || task.type === 'custom')) {
    builder.addTest(
      [...ancestors, task.name].join(' '),
      outcomeOf(task),
      task.durationMs,
      task.error,
    );
    return outcomeOf(task) === 'failed' ? 1 : 0;
  }
  const inside = isFile ? [] : [...ancestors, task.name];
  let failed = 0;
  for (const child of task.tasks) failed += addTask(child, inside, builder, false);
  if (task.state === 'fail' && (task.error !== '' || failed === 0)) {
    builder.addError(
      isFile ? task.name : inside.join(' '),
      task.error || 'it failed outside its tests',
    );
    return failed + 1;
  }
  return failed;
}

function outcomeOf({ mode, state }: Task): Outcome {
  if (mode === 'skip' || mode === 'todo') return 'skipped';
  if (state === 'pass') return 'passed';
  return state === 'fail' ? 'failed' : 'skipped';
}
