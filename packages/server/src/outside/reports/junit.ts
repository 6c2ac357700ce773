// Reads JUnit XML of any producer in pieces. A document type declaration is rejected, because it
// could define entities (entity expansion attack).
import sax from 'sax';
import { decodePieces } from './decode.ts';
import {
  addFailure,
  addOutput,
  addText,
  type Failure,
  type JunitCase,
  openFailure,
} from './junit-case.ts';
import { countsFailures } from './junit-suite.ts';
import { JunitVerdicts } from './junit-verdicts.ts';
import { type Report, ReportProblem, reportLimits } from './report.ts';

// Some runners put a whole assertion message into one attribute, so the parser's limit is raised.
// `strictEntities` accepts only the five entities of XML. `Object.assign` is needed, because the
// parser's types lack the limit.
Object.assign(sax, { MAX_BUFFER_LENGTH: reportLimits.attributeLength });
const parserOptions = { strictEntities: true, trim: false };

export function readJunit(bytes: Uint8Array): Report {
  const reader = new JunitReader();
  for (const piece of decodePieces(bytes, 64 * 1024)) reader.write(piece);
  return reader.finish();
}

class JunitReader {
  readonly #parser = sax.parser(true, parserOptions);
  readonly #verdicts = new JunitVerdicts();
  readonly #path: string[] = [];
  #case: JunitCase | undefined;
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
    // node --test writes the number of failed tests only in a comment.
    this.#parser.oncomment = (text) => {
      if (/^\s*(?:fail|cancelled) [1-9]\d*\s*$/.test(text)) this.#verdicts.countFailures();
    };
  }

  write(piece: string): void {
    this.#parser.write(piece);
    // The parser collects a document type declaration until its end, but the beginning is enough to
    // reject the file.
    if ((this.#parser as unknown as { doctype: unknown }).doctype !== '') refuseDeclarations();
  }

  finish(): Report {
    this.#parser.close();
    return this.#verdicts.finish();
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
    if (name === 'testsuites' && countsFailures(attributes)) this.#verdicts.countFailures();
    if (name === 'testsuite') this.#verdicts.openSuite(attributes);
    if (name === 'testcase') {
      if (this.#case) throw new ReportProblem('A <testcase> is inside another <testcase>.');
      this.#case = this.#verdicts.openCase(attributes);
    }
    if (name === 'failure' || name === 'error') this.#openFailure(parent, attributes);
    if (parent === 'testcase' && this.#case) this.#readOther(this.#case, name, attributes);
  }

  #openFailure(parent: string | undefined, attributes: Record<string, string>): void {
    if (parent !== 'testcase' && parent !== 'testsuite') return;
    this.#failure = openFailure(attributes);
    if (parent === 'testcase' && this.#case) addFailure(this.#case, this.#failure);
  }

  #readOther(test: JunitCase, name: string, attributes: Record<string, string>): void {
    if (name === 'skipped') {
      test.skipped = true;
      test.skipReason = attributes.message ?? '';
    }
    if (name === 'skipped' && attributes.type === 'todo') test.todo = true;
    // For a class without tests, PHPUnit writes a test case with a warning. That case is no test.
    if (name === 'warning' && test.className === '') test.skipped = true;
    if (/^(?:flaky|rerun)(?:Failure|Error)$/.test(name)) this.#verdicts.excuseFailure();
  }

  #read(text: string): void {
    if (this.#failure) addText(this.#failure, text);
    else if (this.#case && /^system-(?:out|err)$/.test(this.#path.at(-1) ?? '')) {
      addOutput(this.#case, text);
    }
  }

  #close(): void {
    const name = this.#path.pop();
    const parent = this.#path.at(-1);
    if ((name === 'failure' || name === 'error') && this.#failure) {
      if (parent === 'testsuite') this.#verdicts.addSuiteFailure(this.#failure);
      if (parent === 'testsuite' || parent === 'testcase') this.#failure = undefined;
    }
    if (name === 'testsuite') this.#verdicts.closeSuite();
    if (name === 'testcase' && this.#case) {
      this.#verdicts.addCase(this.#case);
      this.#case = undefined;
    }
  }

  #badXml(error: Error): string {
    if (/doctype/i.test(error.message)) return declarationProblem;
    const what = (error.message.split('\n')[0] ?? '').replace(/[.:\s]+$/, '').slice(0, 200);
    return `The file is not well-formed XML: ${what} (line ${this.#parser.line + 1}).`;
  }
}

const declarationProblem =
  'The file has a document type declaration (DOCTYPE), which is not allowed; remove it.';

function refuseDeclarations(): never {
  throw new ReportProblem(declarationProblem);
}
