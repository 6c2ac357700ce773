// Reads JUnit XML of any producer. Only what stands directly inside a <testcase> is its verdict:
// <failure> or <error> is a failure, <skipped> is no result, and the elements that tell of earlier
// tries (<flakyFailure>, <rerunFailure> and their like) decide nothing, so a retried test that passed
// in the end is one passed test. A document type declaration is refused: no entity is ever defined.
import sax from 'sax';
import { decodePieces } from './decode.ts';
import { isLoadError } from './junit-load-error.ts';
import { type Report, type ReportedTest, ReportProblem, reportLimits } from './report.ts';
import { ReportBuilder } from './report-builder.ts';

// Some runners put a whole assertion message into one attribute. The types of the parser name neither
// this limit of it nor its option that knows the five entities of XML and no others.
Object.assign(sax, { MAX_BUFFER_LENGTH: reportLimits.attributeLength });
const parserOptions = { strictEntities: true, trim: false };

// A test has one failure, or a few from its hooks; the first of them are shown.
const listedFailures = 20;

export function readJunit(bytes: Uint8Array): Report {
  const reader = new JunitReader();
  for (const piece of decodePieces(bytes, 64 * 1024)) reader.write(piece);
  return reader.finish();
}

interface Case {
  name: string;
  className: string;
  attributes: Record<string, string>;
  failures: Failure[];
  skipped: boolean;
}

interface Failure {
  message: string;
  text: string;
}

class JunitReader {
  readonly #parser = sax.parser(true, parserOptions);
  readonly #builder = new ReportBuilder();
  readonly #failed = new Map<string, ReportedTest>();
  readonly #path: string[] = [];
  readonly #suites: string[] = [];
  #case: Case | undefined;
  #failure: Failure | undefined;
  #attributes = 0;

  constructor() {
    this.#parser.onerror = (error) => {
      throw new ReportProblem(this.#badXml(error));
    };
    this.#parser.ondoctype = refuseDeclarations;
    this.#parser.onsgmldeclaration = refuseDeclarations;
    this.#parser.onopentagstart = () => {
      this.#attributes = 0;
    };
    this.#parser.onattribute = () => {
      this.#attributes += 1;
      if (this.#attributes > reportLimits.attributes) {
        throw new ReportProblem(`An element has more than ${reportLimits.attributes} attributes.`);
      }
    };
    this.#parser.onopentag = (tag) =>
      this.#open(tag.name, tag.attributes as Record<string, string>);
    this.#parser.onclosetag = () => this.#close();
    this.#parser.ontext = (text) => this.#read(text);
    this.#parser.oncdata = (text) => this.#read(text);
  }

  write(piece: string): void {
    this.#parser.write(piece);
    // The parser keeps a declaration until it ends; one that has begun is enough to refuse it.
    if ((this.#parser as unknown as { doctype: unknown }).doctype !== '') refuseDeclarations();
  }

  finish(): Report {
    this.#parser.close();
    return this.#builder.finish();
  }

  #open(name: string, attributes: Record<string, string>): void {
    const parent = this.#path.at(-1);
    if (this.#path.length === reportLimits.depth) {
      throw new ReportProblem(`Elements are nested more than ${reportLimits.depth} deep.`);
    }
    if (parent === undefined && name !== 'testsuites' && name !== 'testsuite') {
      throw new ReportProblem(
        `The root element is <${name.slice(0, 60)}>; JUnit XML has <testsuites> or <testsuite>.`,
      );
    }
    this.#path.push(name);
    if (name === 'testsuite') this.#suites.push(attributes.name ?? '');
    if (name === 'testcase') this.#openCase(attributes);
    if (name === 'failure' || name === 'error') this.#openFailure(parent, attributes);
    if (name === 'skipped' && parent === 'testcase' && this.#case) this.#case.skipped = true;
  }

  #openCase(attributes: Record<string, string>): void {
    if (this.#case) throw new ReportProblem('A <testcase> stands inside another <testcase>.');
    const name = attributes.name ?? '';
    const className = attributes.classname ?? '';
    this.#case = { name, className, attributes, failures: [], skipped: false };
  }

  #openFailure(parent: string | undefined, attributes: Record<string, string>): void {
    if (parent !== 'testcase' && parent !== 'testsuite') return;
    this.#failure = { message: attributes.message ?? attributes.type ?? '', text: '' };
    const failures = this.#case?.failures;
    if (parent === 'testcase' && failures && failures.length < listedFailures) {
      failures.push(this.#failure);
    }
  }

  #read(text: string): void {
    const failure = this.#failure;
    if (!failure || failure.text.length >= reportLimits.errorLength) return;
    failure.text += text.slice(0, reportLimits.errorLength);
  }

  #close(): void {
    const name = this.#path.pop();
    if ((name === 'failure' || name === 'error') && this.#failure) {
      const ofSuite = this.#path.at(-1) === 'testsuite';
      if (ofSuite) this.#builder.addError(this.#suites.at(-1) ?? '', describe(this.#failure));
      if (ofSuite || this.#path.at(-1) === 'testcase') this.#failure = undefined;
    }
    if (name === 'testsuite') this.#suites.pop();
    if (name === 'testcase' && this.#case) {
      this.#add(this.#case);
      this.#case = undefined;
    }
  }

  #add(test: Case): void {
    const { name, className, attributes, failures, skipped } = test;
    const title = className === '' ? name : `${className}::${name}`;
    const error = failures.map(describe).join('\n');
    if (failures.some((failure) => isLoadError(name, className, failure))) {
      this.#builder.addError(className === name || name === '' ? className : title, error);
      return;
    }
    // Pytest writes a test that failed and then failed to clean up as two cases of one name.
    const earlier = this.#failed.get(title);
    if (earlier && failures[0]?.message.startsWith('failed on teardown')) {
      this.#builder.addFailure(earlier, error);
      return;
    }
    const failed =
      failures.length > 0 || /^(fail|failed|failure|error)$/i.test(attributes.status ?? '');
    const outcome = failed ? 'failed' : skipped || neverRan(attributes) ? 'skipped' : 'passed';
    const added = this.#builder.addTest(title, outcome, millisecondsOf(attributes.time), error);
    if (failed) this.#failed.set(title, added);
  }

  #badXml(error: Error): string {
    if (/doctype/i.test(error.message)) return declarationProblem;
    const what = (error.message.split('\n')[0] ?? '').replace(/[.:\s]+$/, '').slice(0, 200);
    return `The file is not well-formed XML: ${what} (line ${this.#parser.line + 1}).`;
  }
}

const declarationProblem =
  'The file holds a document type declaration (DOCTYPE), which is refused; remove it.';

function refuseDeclarations(): never {
  throw new ReportProblem(declarationProblem);
}

function describe({ message, text }: Failure): string {
  const body = text.trim();
  return body === '' ? message : body.includes(message.trim()) ? body : `${message}\n${body}`;
}

// GoogleTest and CTest say it in an attribute alone.
function neverRan({ status, result }: Record<string, string>): boolean {
  return (
    /^(notrun|skipped|disabled|pending)$/i.test(status ?? '') ||
    /^(skipped|suppressed)$/i.test(result ?? '')
  );
}

// Seconds. Some producers group thousands with a comma; a comma alone could mean either thing.
function millisecondsOf(time: string | undefined): number | undefined {
  const plain = time?.includes('.') ? time.replaceAll(',', '') : time;
  return plain === undefined || plain.trim() === '' ? undefined : Number(plain) * 1000;
}
