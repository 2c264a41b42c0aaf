import type { Language } from "../base/language.js";

const split = (names: string) => new Set(names.split(/\s+/));

/**
 * Names that a language has from itself, without an import, and that its grammar takes for identifiers. Whoever renames
 * them writes another language.
 */
const OWN: Readonly<Record<Language, ReadonlySet<string>>> = {
  c: split("main NULL errno defined va_list va_start va_end va_arg"),
  cpp: split("main NULL errno defined std override final"),
  csharp: split(`
    var value get set init add remove nameof dynamic async await where when global record required nint nuint args
    Main Object String Exception Console Math Task List Dictionary IEnumerable IDisposable ArgumentException
    ArgumentNullException InvalidOperationException NotImplementedException`),
  go: split(`
    bool string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 float64 complex64
    complex128 error any comparable append cap clear close complex copy delete imag len make max min new panic print
    println real recover main init iota`),
  java: split(`
    var record sealed permits yield main Object String Integer Long Short Byte Boolean Character Double Float Number Math
    System Thread Runnable Iterable Comparable CharSequence StringBuilder Class Enum Void Override Deprecated
    SuppressWarnings FunctionalInterface SafeVarargs Throwable Error Exception RuntimeException NullPointerException
    IllegalArgumentException IllegalStateException UnsupportedOperationException IndexOutOfBoundsException
    ClassCastException NumberFormatException InterruptedException AutoCloseable`),
  javascript: split(`
    async await of get set static from as constructor prototype arguments console window document globalThis global
    process require module exports Object Array String Number Boolean BigInt Symbol Function Promise Map Set WeakMap
    WeakSet JSON Math Date RegExp Proxy Reflect Error TypeError RangeError SyntaxError ReferenceError NaN Infinity
    parseInt parseFloat isNaN isFinite setTimeout setInterval clearTimeout clearInterval length then catch finally`),
  php: split(`
    this self parent static true false null TRUE FALSE NULL string int float bool array object mixed void never iterable
    callable count strlen isset empty unset in_array array_key_exists is_null is_array is_string Exception
    InvalidArgumentException RuntimeException Throwable Closure stdClass PHP_EOL`),
  python: split(`
    self cls super print len range str int float bool complex list dict set frozenset tuple bytes bytearray object type
    isinstance issubclass callable getattr setattr hasattr delattr open input sorted reversed enumerate zip map filter sum
    min max abs round pow divmod any all next iter repr hash id dir vars format chr ord hex bin oct slice property
    staticmethod classmethod NotImplemented Ellipsis BaseException Exception ValueError TypeError KeyError IndexError
    LookupError AttributeError NameError RuntimeError NotImplementedError StopIteration ArithmeticError
    ZeroDivisionError OverflowError AssertionError ImportError ModuleNotFoundError OSError IOError FileNotFoundError
    PermissionError TimeoutError ConnectionError KeyboardInterrupt SystemExit UnicodeDecodeError UnicodeEncodeError
    Warning DeprecationWarning UserWarning match case`),
  ruby: split(`
    self initialize new puts print p require require_relative load include extend prepend attr_reader attr_writer
    attr_accessor private public protected module_function raise lambda proc loop format sprintf freeze catch throw
    block_given? binding define_method instance_variable_get instance_variable_set String Array Hash Integer Float Symbol
    Object BasicObject Kernel Module Class Struct Set Time Range Regexp Proc Comparable Enumerable Exception
    StandardError ArgumentError RuntimeError TypeError NameError NoMethodError KeyError IndexError NotImplementedError
    IOError ENV ARGV`),
};

/** Tells whether the language has this name from itself. Names between double underscores are. */
export function isOwnName(language: Language, name: string): boolean {
  return OWN[language].has(name) || /^__\w+$/.test(name);
}

/** Words that begin or end something in one of the languages: never a made-up name. */
export const KEYWORDS: ReadonlySet<string> = split(`
  abstract alias and as assert async await auto base begin bool boolean break byte case catch chan char class const
  continue debugger decimal declare def default defer defined del delegate delete do double each elif else elsif end
  ensure enum event explicit export extends extern false final finally fixed float fn for foreach from func function get
  global go goto has if implements implicit import in include init inline instanceof int interface internal is lambda
  let list lock long loop map match module mutable namespace native new next nil none not null object of on operator or
  out override package params pass print private protected public raise range readonly record redo ref register require
  rescue retry return sealed select self set short signed sizeof static string struct super switch synchronized template
  then this throw throws time to trait transient true try type typeof undef union unless unsafe unsigned until use using
  val value var virtual void volatile when where while with yield`);
