/** Program that other languages start: it answers requests on standard input until that ends. */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { exitProcess, guardProcess } from '#platform/process-guard';
import { version } from '../index.ts';
import { RpcServer } from './server.ts';

const [, , folder = ''] = process.argv;

// Standard output is only for responses, and only the parent ends this process.
const { stdin, stdout } = process;
guardProcess();
// Ctrl-C reaches all processes of a terminal: the parent aborts the call.
process.on('SIGINT', () => undefined);
const server = new RpcServer((line) => {
  stdout.write(`${line}\n`);
}, folder);
stdout.on('error', () => exitProcess(1));
stdout.write(`${JSON.stringify({ warpool: version, node: process.versions.node })}\n`);
createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })
  .on('line', (line) => {
    void server.receive(line);
  })
  .on('close', () => {
    // A parent that was killed, or that ended by os._exit, does not delete the folder.
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
    exitProcess(0);
  });
