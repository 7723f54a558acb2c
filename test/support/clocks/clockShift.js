/**
 * Shifts the wall clock of this process: `Date.now()`, `new Date()` and `Date()` differ from the machine's clock by
 * TEST_CLOCK_SHIFT_MS milliseconds. Timers and monotonic clocks are unchanged. Plain JavaScript, so that child
 * processes can load it with `--import`.
 */
const MachineDate = Date;

/** Reads the variable each time: test files with different shifts share a process. */
const now = () => MachineDate.now() + Number(process.env['TEST_CLOCK_SHIFT_MS'] ?? 0);

/** A proxy has the prototype of the real `Date`, so that `instanceof` works for dates from everywhere. */
const ShiftedDate = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new MachineDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

MachineDate.prototype.constructor = ShiftedDate;
globalThis.Date = ShiftedDate;
