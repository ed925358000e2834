// SPDX-License-Identifier: MIT
// Runs Perfetto's trace processor (WASM build, see fetch-engine.sh) on one trace and answers SQL.
//
// usage: node tp.mjs TRACE [SQLFILE | -e SQL]...
//        node tp.mjs --each SQLFILE TRACE...
//
// The second form starts the engine once, which takes longer than most traces do, and writes what
// TRACE gives to TRACE.tsv; the exit status is that of the last trace that failed.
//
// TRACE may be gzipped; the engine unpacks it as it does for a user. Each statement of a SQLFILE
// ("-": standard input) or of an -e is one query. It prints a header line and one line per row,
// cells separated by tabs, but nothing for include, create, drop; an empty line parts two answers.
// In a cell \\ \t \n \r stand for these characters, \N for null, \xNN for another control character
// or a byte that is not UTF-8; a blob is hexadecimal.
//
// Exit: 0 all answered, 1 a query failed, 2 the trace did not load, 3 the engine or the command
// line is not usable, 77 there is no engine folder. A clean load says little: a caller that wants
// to know of lost events asks the table `stats`.

import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

const EXIT_QUERY = 1;
const EXIT_LOAD = 2;
const EXIT_ENGINE = 3;
const EXIT_NO_ENGINE = 77;

const PIECE_BYTES = 16 << 20; // below the engine's request buffer of 32 MiB
const START_LIMIT_MS = 120000;

/** An error that ends the program with a status of its own. */
class Failure extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

// ---- protobuf wire format: as much of it as the engine's RPC needs ----

/** Bytes of a non-negative integer below 2^53 as a varint. */
function encodeVarint(value) {
	const bytes = [];
	while (value >= 0x80) {
		bytes.push((value % 0x80) | 0x80);
		value = Math.floor(value / 0x80);
	}
	bytes.push(value);
	return Buffer.from(bytes);
}

const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_BYTES = 2;
const WIRE_FIXED32 = 5;

function encodeNumberField(field, value) {
	return Buffer.concat([encodeVarint(field * 8 + WIRE_VARINT), encodeVarint(value)]);
}

function encodeBytesField(field, bytes) {
	return Buffer.concat([encodeVarint(field * 8 + WIRE_BYTES), encodeVarint(bytes.length), bytes]);
}

/** A position that moves over a Buffer; reading past the end throws RangeError. */
class Cursor {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	isAtEnd() {
		return this.at >= this.bytes.length;
	}

	/** A varint as a Number: for tags, lengths and small values. */
	readNumber() {
		let value = 0;
		let scale = 1;
		for (;;) {
			const byte = this.readByte();
			value += (byte & 0x7f) * scale;
			if (byte < 0x80)
				return value;
			scale *= 0x80;
		}
	}

	/** A varint as a signed 64-bit integer: a Number where that is exact, else a BigInt. */
	readInt64() {
		const start = this.at;
		let value = 0;
		let scale = 1;
		for (let i = 0; i < 7; i++) {
			const byte = this.readByte();
			value += (byte & 0x7f) * scale;
			if (byte < 0x80)
				return value;
			scale *= 0x80;
		}
		this.at = start;
		let big = 0n;
		for (let shift = 0n; ; shift += 7n) {
			const byte = this.readByte();
			big |= BigInt(byte & 0x7f) << shift;
			if (byte < 0x80)
				return BigInt.asIntN(64, big);
		}
	}

	readByte() {
		if (this.at >= this.bytes.length)
			throw new RangeError('message cut short');
		return this.bytes[this.at++];
	}

	take(length) {
		if (this.at + length > this.bytes.length)
			throw new RangeError('message cut short');
		const part = this.bytes.subarray(this.at, this.at + length);
		this.at += length;
		return part;
	}
}

/** Calls visit(field, value) per field; value is a Buffer, or a Number for a varint. */
function walkFields(bytes, visit) {
	const cursor = new Cursor(bytes);
	while (!cursor.isAtEnd()) {
		const tag = cursor.readNumber();
		const wire = tag & 7;
		let value;
		if (wire === WIRE_VARINT)
			value = Number(cursor.readInt64());
		else if (wire === WIRE_FIXED64)
			value = cursor.take(8);
		else if (wire === WIRE_BYTES)
			value = cursor.take(cursor.readNumber());
		else if (wire === WIRE_FIXED32)
			value = cursor.take(4);
		else
			throw new Error(`wire type ${wire} in a reply`);
		visit(Math.floor(tag / 8), value);
	}
}

// ---- cells ----

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// What `dump --slices` escapes: controls, what turns the direction of writing, and what hides.
const hidden = new RegExp('[\\\\\\x00-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e' +
	'\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]', 'gu');

function escapeText(text) {
	return text.replace(hidden, (c) => {
		const hex = c.codePointAt(0).toString(16);
		return { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }[c] ??
			(c < '\x80' ? '\\x' + hex.padStart(2, '0') : `\\u{${hex.padStart(4, '0')}}`);
	});
}

/** The text of one cell; where it is not UTF-8, each byte above ASCII becomes \xNN. */
function decodeText(bytes) {
	try {
		return escapeText(utf8.decode(bytes));
	} catch {
		return bytes.toString('latin1').split(/([\x80-\xff])/).map((part) => part >= '\x80'
			? '\\x' + part.charCodeAt(0).toString(16) : escapeText(part)).join('');
	}
}

/** The strings of a batch: each ends in a NUL. */
function splitStrings(bytes) {
	const cells = [];
	let start = 0;
	for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
		cells.push(decodeText(bytes.subarray(start, end)));
		start = end + 1;
	}
	if (start < bytes.length)
		cells.push(decodeText(bytes.subarray(start)));
	return cells;
}

/** Calls emit(text) for each cell of one batch, row by row. */
function walkCells(batch, emit) {
	let types = Buffer.alloc(0);
	let integers = null;
	let doubles = null;
	let strings = [];
	const blobs = [];
	walkFields(batch, (field, value) => {
		if (field === 1)
			types = value;
		else if (field === 2)
			integers = new Cursor(value);
		else if (field === 3)
			doubles = new Cursor(value);
		else if (field === 4)
			blobs.push(value);
		else if (field === 5)
			strings = splitStrings(value);
	});
	let stringIdx = 0;
	let blobIdx = 0;
	for (const type of types) {
		if (type === 1)
			emit('\\N');
		else if (type === 2)
			emit(String(integers.readInt64()));
		else if (type === 3)
			emit(String(doubles.take(8).readDoubleLE(0)));
		else if (type === 4)
			emit(strings[stringIdx++]);
		else if (type === 5)
			emit(blobs[blobIdx++].toString('hex'));
		else
			throw new Error(`cell type ${type} in a reply`);
	}
}

// ---- the engine ----

function engineFolder() {
	const env = process.env;
	if (env.PERFETTO_ENGINE_DIR)
		return env.PERFETTO_ENGINE_DIR;
	const cache = env.XDG_CACHE_HOME || (env.HOME ? path.join(env.HOME, '.cache') : '');
	return cache ? path.join(cache, 'ranges-perfetto') : '';
}

/** Replaces the one place of text that pattern finds; other counts than one are an error. */
function editOnce(text, pattern, replacement) {
	const count = [...text.matchAll(pattern)].length;
	if (count !== 1) {
		throw new Failure(EXIT_ENGINE, `the worker script is not the known one: ` +
			`${count} places match ${pattern.source}`);
	}
	return text.replace(pattern, replacement);
}

/** The worker script, changed to run outside a browser on bytes that we read. */
function prepareScript(text) {
	const map = text.lastIndexOf('\n//# sourceMappingURL=');
	if (map >= 0)
		text = text.slice(0, map);
	// Node can run 64-bit WASM, but only the 32-bit engine is there.
	text = editOnce(text, /this\.useMemory64 = hasMemory64Support\(\)/g, 'this.useMemory64 = false');
	// With the bytes at hand the script fetches nothing.
	text = editOnce(text, /locateFile: \(s\) => s,/g,
		'locateFile: (s) => s, wasmBinary: self.rangesWasmBytes,');
	// The bridge tells when the engine is up.
	return editOnce(text, /const wasmBridge = new wasm_bridge_1\.WasmBridge\(\)/g,
		'const wasmBridge = self.rangesBridge = new wasm_bridge_1.WasmBridge()');
}

/** What the engine said on its stdout and stderr; of use after a failure only. */
const said = [];

/** The engine in this process. Calls are synchronous: a request returns after its last reply. */
class Engine {
	#port;
	#replies = [];
	#seq = 0;

	async start(folder) {
		const wasmPath = path.join(folder, 'trace_processor.wasm');
		const scriptPath = path.join(folder, 'engine_bundle.node.js');
		const globals = {
			self: globalThis,
			WorkerGlobalScope: function WorkerGlobalScope() {},
			location: { href: 'file:///' },
			rangesWasmBytes: new Uint8Array(fs.readFileSync(wasmPath)),
		};
		for (const [name, value] of Object.entries(globals))
			Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
		console.log = console.warn = console.error = (...words) => said.push(words.join(' '));
		const script = prepareScript(fs.readFileSync(scriptPath, 'utf8'));
		vm.runInThisContext(script, { filename: 'engine_bundle.node.js' });

		const limit = Date.now() + START_LIMIT_MS;
		while (!globalThis.rangesBridge.reqBufferAddr) {
			if (Date.now() > limit)
				throw new Failure(EXIT_ENGINE, 'the engine did not start in time');
			await new Promise((resolve) => setTimeout(resolve, 2));
		}
		delete globalThis.rangesWasmBytes;
		// Kept for later: an exception thrown here would go through the engine's own stack.
		this.#port = { postMessage: (bytes) => this.#replies.push(bytes) };
		globalThis.onmessage({ data: this.#port });
	}

	/** Sends one request; onResult(bytes) gets field resultField of each reply to it. */
	#request(method, argument, resultField, onResult) {
		const message = Buffer.concat([encodeNumberField(1, this.#seq++),
			encodeNumberField(2, method), argument]);
		this.#replies = [];
		this.#port.onmessage({ data: new Uint8Array(encodeBytesField(1, message)) });

		// The reply stream: messages in field 1, cut into parts at any place.
		let resultCount = 0;
		walkFields(Buffer.concat(this.#replies), (_, reply) => walkFields(reply, (field, value) => {
			if (field === 5)
				throw new Failure(EXIT_ENGINE, `the engine gave up: ${value}`);
			if (field === resultField) {
				resultCount++;
				onResult(value);
			}
		}));
		if (resultCount === 0 && resultField !== 0)
			throw new Failure(EXIT_ENGINE, `the engine did not answer method ${method}`);
	}

	#load(method, argument, resultField, errorField) {
		this.#request(method, argument, resultField, (result) => {
			walkFields(result, (field, value) => {
				if (field === errorField && value.length)
					throw new Failure(EXIT_LOAD, `the trace does not load: ${value}`);
			});
		});
	}

	/** Forgets the trace. */
	reset() {
		this.#request(11, Buffer.alloc(0), 0, () => {});
	}

	append(bytes) {
		this.#load(1, encodeBytesField(101, bytes), 201, 2);
	}

	finish() {
		this.#load(2, Buffer.alloc(0), 212, 1);
	}

	/** Runs sql; onColumns(names) comes once before the first onCell(text). */
	query(sql, onColumns, onCell) {
		const names = [];
		let isOpen = false;
		const open = () => {
			if (!isOpen)
				onColumns(names);
			isOpen = true;
		};
		const argument = encodeBytesField(103, encodeBytesField(1, Buffer.from(sql)));
		this.#request(3, argument, 203, (result) => walkFields(result, (field, value) => {
			if (field === 1)
				names.push(decodeText(value));
			if (field === 2 && value.length)
				throw new Failure(EXIT_QUERY, `query failed: ${value}`);
			if (field === 3) {
				open();
				walkCells(value, onCell);
			}
		}));
		open();
	}
}

// ---- the program ----

/** The statements of text: separated by semicolons outside of strings and comments. */
function splitStatements(text) {
	const token = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|;|[^]/g;
	const statements = [];
	let statement = '';
	for (const [part] of text.matchAll(token)) {
		if (part === ';') {
			statements.push(statement);
			statement = '';
		} else if (!/^(--|\/\*)/.test(part)) {
			statement += part;
		} else {
			statement += ' ';
		}
	}
	statements.push(statement);
	return statements.map((s) => s.trim()).filter((s) => s);
}

function readText(file) {
	try {
		return fs.readFileSync(file === '-' ? 0 : file, 'utf8');
	} catch (error) {
		throw new Failure(EXIT_ENGINE, `cannot read the queries: ${error.message}`);
	}
}

function readArguments(args) {
	const usage = 'usage: node tp.mjs TRACE [SQLFILE | -e SQL]... | --each SQLFILE TRACE...';
	if (args.length > 1 && args[0] === '--each')
		return { statements: splitStatements(readText(args[1])), traces: args.slice(2) };
	if (args.length === 0 || args[0].startsWith('-'))
		throw new Failure(EXIT_ENGINE, usage);
	const statements = [];
	for (let i = 1; i < args.length; i++) {
		let text;
		if (args[i] !== '-e') {
			text = readText(args[i]);
		} else if (++i < args.length) {
			text = args[i];
		} else {
			throw new Failure(EXIT_ENGINE, usage);
		}
		statements.push(...splitStatements(text));
	}
	return { trace: args[0], statements };
}

function loadTrace(engine, trace) {
	let fd;
	try {
		fd = fs.openSync(trace, 'r');
	} catch (error) {
		throw new Failure(EXIT_LOAD, `cannot open the trace: ${error.message}`);
	}
	try {
		const piece = Buffer.alloc(PIECE_BYTES);
		for (let length; (length = fs.readSync(fd, piece)) > 0; )
			engine.append(piece.subarray(0, length));
		engine.finish();
	} catch (error) {
		if (error instanceof Failure)
			throw error;
		throw new Failure(EXIT_LOAD, `the trace does not load: ${error.message}`);
	} finally {
		fs.closeSync(fd);
	}
}

/** Writes all of text to stdout, however slowly the other side reads. */
function writeOut(text) {
	return new Promise((resolve) => process.stdout.write(text, resolve));
}

async function printQuery(engine, sql, isFirst, write) {
	// The engine answers these with a column of its own making.
	const hasAnswer = !/^(include|create|drop)\b/i.test(sql);
	const parts = [];
	let columnCount = 0;
	let column = 0;
	engine.query(sql, (names) => {
		columnCount = names.length;
		if (hasAnswer)
			parts.push(isFirst ? '' : '\n', names.join('\t'), '\n');
	}, (cell) => {
		column = (column + 1) % columnCount;
		parts.push(cell, column === 0 ? '\n' : '\t');
	});
	// In slices: one string of all rows might pass the longest that Node can hold.
	for (let i = 0; i < parts.length; i += 65536)
		await write(parts.slice(i, i + 65536).join(''));
	return hasAnswer;
}

async function printAll(engine, statements, write) {
	let isFirst = true;
	for (const sql of statements) {
		if (await printQuery(engine, sql, isFirst, write))
			isFirst = false;
	}
}

/** Each of several traces, to a file of its own. */
async function readEach(engine, traces, statements) {
	let status = 0;
	for (const trace of traces) {
		const fd = fs.openSync(`${trace}.tsv`, 'w');
		try {
			loadTrace(engine, trace);
			await printAll(engine, statements, (text) => fs.writeSync(fd, text));
		} catch (error) {
			if (!(error instanceof Failure) || error.status === EXIT_ENGINE)
				throw error;
			fs.writeSync(2, `tp: ${trace}: ${error.message}\n`);
			status = error.status;
		}
		fs.closeSync(fd);
		engine.reset();
	}
	return status;
}

async function main() {
	const { trace, traces, statements } = readArguments(process.argv.slice(2));
	const folder = engineFolder();
	if (!folder || !fs.existsSync(path.join(folder, 'trace_processor.wasm'))) {
		throw new Failure(EXIT_NO_ENGINE, `no engine in "${folder}": run fetch-engine.sh, ` +
			'or set PERFETTO_ENGINE_DIR to the folder that holds it');
	}
	// Optimized code of the engine pays for many traces only: for one it takes 1.3 s of CPU time, a start without 0.3 s.
	if (!traces)
		v8.setFlagsFromString('--liftoff-only');
	const engine = new Engine();
	await engine.start(folder);
	if (traces)
		return readEach(engine, traces, statements);
	loadTrace(engine, trace);
	await printAll(engine, statements, writeOut);
	return 0;
}

function fail(error) {
	const status = error instanceof Failure ? error.status : EXIT_ENGINE;
	const lines = [`tp: ${error instanceof Failure ? error.message : error.stack}`];
	if (status === EXIT_LOAD || status === EXIT_ENGINE) {
		lines.push(...said.map((line) => line.trim())
			.filter((line) => line && !line.includes('unsupported syscall'))
			.map((line) => `tp: engine: ${line}`));
	}
	fs.writeSync(2, lines.join('\n') + '\n');
	process.exit(status);
}

process.stdout.on('error', () => process.exit(EXIT_ENGINE)); // the reader has gone
process.on('uncaughtException', fail); // a promise inside the worker script, too
main().then((status) => process.exit(status), fail);
