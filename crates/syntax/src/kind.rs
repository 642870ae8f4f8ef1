//! The node kinds and fields that facts read; everything else is `Other`.

macro_rules! names {
    ($(#[$doc:meta])* $enum:ident { $($variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $enum {
            /// A name that this enum does not list.
            Other,
            $($variant,)*
        }

        impl $enum {
            /// Maps a name of the grammar.
            pub fn from_name(name: &str) -> $enum {
                match name {
                    $($name => $enum::$variant,)*
                    _ => $enum::Other,
                }
            }

            /// The grammar's name; empty for `Other`.
            pub fn name(self) -> &'static str {
                match self {
                    $enum::Other => "",
                    $($enum::$variant => $name,)*
                }
            }
        }
    };
}

names! {
    /// A node kind of tree-sitter-python 0.25. `Error` has an id of its own in every grammar and is set by id.
    Kind {
        AliasedImport = "aliased_import",
        ArgumentList = "argument_list",
        AsPattern = "as_pattern",
        AsPatternTarget = "as_pattern_target",
        AssertStatement = "assert_statement",
        Assignment = "assignment",
        Async = "async",
        Attribute = "attribute",
        AugmentedAssignment = "augmented_assignment",
        Await = "await",
        BinaryOperator = "binary_operator",
        Block = "block",
        BooleanOperator = "boolean_operator",
        BreakStatement = "break_statement",
        Call = "call",
        CaseClause = "case_clause",
        CasePattern = "case_pattern",
        ClassDefinition = "class_definition",
        Comment = "comment",
        ComparisonOperator = "comparison_operator",
        ConcatenatedString = "concatenated_string",
        ConditionalExpression = "conditional_expression",
        ContinueStatement = "continue_statement",
        DecoratedDefinition = "decorated_definition",
        Decorator = "decorator",
        DefaultParameter = "default_parameter",
        DeleteStatement = "delete_statement",
        Dictionary = "dictionary",
        DictionaryComprehension = "dictionary_comprehension",
        DictionarySplat = "dictionary_splat",
        DictionarySplatPattern = "dictionary_splat_pattern",
        DottedName = "dotted_name",
        ElifClause = "elif_clause",
        Ellipsis = "ellipsis",
        ElseClause = "else_clause",
        Error = "ERROR",
        ExceptClause = "except_clause",
        ExecStatement = "exec_statement",
        ExpressionList = "expression_list",
        ExpressionStatement = "expression_statement",
        False = "false",
        FinallyClause = "finally_clause",
        Float = "float",
        ForInClause = "for_in_clause",
        ForStatement = "for_statement",
        FunctionDefinition = "function_definition",
        FutureImportStatement = "future_import_statement",
        GeneratorExpression = "generator_expression",
        GenericType = "generic_type",
        GlobalStatement = "global_statement",
        Identifier = "identifier",
        IfClause = "if_clause",
        IfStatement = "if_statement",
        ImportFromStatement = "import_from_statement",
        ImportPrefix = "import_prefix",
        ImportStatement = "import_statement",
        Integer = "integer",
        Interpolation = "interpolation",
        KeywordArgument = "keyword_argument",
        Lambda = "lambda",
        LambdaParameters = "lambda_parameters",
        LineContinuation = "line_continuation",
        List = "list",
        ListComprehension = "list_comprehension",
        ListPattern = "list_pattern",
        ListSplat = "list_splat",
        ListSplatPattern = "list_splat_pattern",
        MatchStatement = "match_statement",
        Module = "module",
        NamedExpression = "named_expression",
        None = "none",
        NonlocalStatement = "nonlocal_statement",
        NotOperator = "not_operator",
        Pair = "pair",
        Parameters = "parameters",
        ParenthesizedExpression = "parenthesized_expression",
        PassStatement = "pass_statement",
        PatternList = "pattern_list",
        PrintStatement = "print_statement",
        RaiseStatement = "raise_statement",
        RelativeImport = "relative_import",
        ReturnStatement = "return_statement",
        Set = "set",
        SetComprehension = "set_comprehension",
        Slice = "slice",
        String = "string",
        StringContent = "string_content",
        StringEnd = "string_end",
        StringStart = "string_start",
        Subscript = "subscript",
        True = "true",
        TryStatement = "try_statement",
        Tuple = "tuple",
        TuplePattern = "tuple_pattern",
        Type = "type",
        TypedDefaultParameter = "typed_default_parameter",
        TypedParameter = "typed_parameter",
        UnaryOperator = "unary_operator",
        WhileStatement = "while_statement",
        WildcardImport = "wildcard_import",
        WithClause = "with_clause",
        WithItem = "with_item",
        WithStatement = "with_statement",
        Yield = "yield",
    }
}

names! {
    /// A field of tree-sitter-python 0.25; `Other` also stands for no field.
    Field {
        Alias = "alias",
        Alternative = "alternative",
        Arguments = "arguments",
        Attribute = "attribute",
        Body = "body",
        Cause = "cause",
        Condition = "condition",
        Consequence = "consequence",
        Definition = "definition",
        Expression = "expression",
        Function = "function",
        Guard = "guard",
        Key = "key",
        Left = "left",
        ModuleName = "module_name",
        Name = "name",
        Object = "object",
        Operator = "operator",
        Operators = "operators",
        Parameters = "parameters",
        ReturnType = "return_type",
        Right = "right",
        Subject = "subject",
        Subscript = "subscript",
        Superclasses = "superclasses",
        Type = "type",
        Value = "value",
    }
}
