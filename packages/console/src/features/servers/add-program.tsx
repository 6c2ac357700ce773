/** How to test a server that is started as a program, with what the operator has to allow. */
import { useState } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { Field } from '../../kit/field.tsx';
import { CancelLink } from '../../kit/frame/new-entity-page.tsx';
import { emptyProgram, operatorEntry, type ProgramDraft, testCommands } from './program-set-up.ts';

export function AddProgram({ projectId }: { projectId: string }) {
  const [program, setProgram] = useState<ProgramDraft>(emptyProgram);
  const change = (part: Partial<ProgramDraft>) => setProgram({ ...program, ...part });
  const told = { ...program, command: program.command.trim() || 'node server.js' };
  return (
    <>
      <div className="form-room">
        <div className="form-fields">
          <Field
            label="Command"
            hint="As it is typed in the folder of the server, for example node server.js"
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={program.command}
                onChange={({ target }) => change({ command: target.value })}
              />
            )}
          </Field>
          <Field
            label="Folder"
            hint="Its whole path. Without one, the commands are for the folder itself."
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={program.folder}
                onChange={({ target }) => change({ folder: target.value })}
              />
            )}
          </Field>
        </div>
      </div>
      <div className="two-columns">
        <section aria-labelledby="test-program">
          <h2 id="test-program">Test it now, in a terminal</h2>
          <p>
            The first command writes two suites from the tools of the server, the second plays them.
            Neither needs this service: the program is started by you, on your machine.
          </p>
          <CopyText block text={testCommands(told)} label="Copy the commands" />
        </section>
        <section aria-labelledby="allow-program">
          <h2 id="allow-program">Add it to this project</h2>
          <p>
            A program runs with all rights of the service, on its machine. So nobody can add one
            from a browser: the operator of this installation writes it into the configuration file
            and restarts the service. Then it is listed here as a server.
          </p>
          <Field label="Name">
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                value={program.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
          <CopyText
            block
            text={operatorEntry({ ...told, name: told.name.trim() || 'My server' }, projectId)}
            label="Copy the entry of the configuration file"
          />
          <p className="hint">
            The program gets the variables under <code>env</code> and no others, so put the folder
            of <code>node</code> and the like into <code>PATH</code>.
          </p>
        </section>
      </div>
      <p className="actions">
        <CancelLink what="server" projectId={projectId} />
      </p>
    </>
  );
}
