/** Transactions of the sandbox. */
import Database from 'libsql';
import { expect, it } from 'vitest';
import { createQueries } from '../../../../src/sandbox/database/queries.js';

it.each([
  ['immediate', (insert: () => number) => insert()],
  ['asynchronous', async (insert: () => number) => insert()],
])('an %s transaction whose commit fails is rolled back, so that the next one can begin', async (_, run) => {
  const database = new Database(':memory:');
  database.exec(`PRAGMA foreign_keys = ON;
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (parent_id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)`);
  const db = createQueries(database);
  const transact = async () => db.transaction(() => run(() => db.run('INSERT INTO child VALUES (1)')));
  await expect(transact()).rejects.toThrow('FOREIGN KEY');
  expect(db.transaction(() => db.run('INSERT INTO parent VALUES (1)'))).toBe(1);
  expect(db.all('SELECT * FROM child')).toEqual([]);
  database.close();
});

it('a transaction that SQLite has rolled back by itself rejects with its own error', () => {
  const database = new Database(':memory:');
  const db = createQueries(database);
  const fail = () => {
    database.exec('ROLLBACK');
    throw new Error('the disk is full');
  };
  expect(() => db.transaction(fail)).toThrow('the disk is full');
  expect(() => db.transaction(() => db.all('SELECT 1'))).not.toThrow();
  database.close();
});
