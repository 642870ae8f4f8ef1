//! The page as a whole: its state, what it does beside drawing, and where its parts stand.

use crate::browser::intake::read_files;
use crate::components::{
    Changes, Checklist, FileRail, Header, InputBox, RuleCard, ShareDialog, Summary, Tabs, Trouble,
};
use crate::hooks::{
    WorkerHandle, use_fragment, use_keys, use_paste, use_reveal, use_review, use_worker,
};
use crate::input::Origin;
use crate::link;
use crate::state::{Action, Phase, State, Tab};
use gloo::file::FileList;
use report::ToWorker;
use report::permalink::encode;
use yew::prelude::*;

#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(State::default);
    let act = {
        let dispatcher = state.dispatcher();
        use_callback((), move |action: Action, ()| dispatcher.dispatch(action))
    };
    let worker = use_worker(act.clone());
    use_review(&state, &worker);
    use_fragment(&state, act.clone());
    use_paste(act.clone());
    use_keys(act.clone());
    use_reveal(&state);
    let (ondragover, ondrop) = use_drop(act.clone());
    let (share, dialog) = use_share(&state, &worker);
    let report = state.report.clone().filter(|_| state.is_done());
    let can_share = report.as_ref().is_some_and(|report| !report.is_empty());
    html! {
        <div class={page_class(&state)} {ondragover} {ondrop}>
            <Header report={report.clone().filter(|_| can_share)} {can_share} {share} />
            <Tabs tab={state.tab} act={act.clone()} />
            <Trouble phase={state.phase.clone()} notice={state.notice.clone()} report={report} act={act.clone()} />
            <Body state={State::clone(&state)} act={act.clone()} />
            { dialog }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct BodyProps {
    state: State,
    act: Callback<Action>,
}

#[component]
fn Body(props: &BodyProps) -> Html {
    let (state, act) = (&props.state, &props.act);
    let report = state.report.clone().filter(|report| !report.is_empty());
    let done = state.report.clone().filter(|_| state.is_done());
    html! {
        <main>
            <div class="input-panel">
                if state.files.is_empty() {
                    <Welcome />
                }
                <InputBox input={state.input.clone()} can_undo={state.replaced.is_some()} act={act.clone()} />
            </div>
            <Summary phase={state.phase.clone()} report={done} tour={tour(state)} act={act.clone()} />
            <FileRail files={state.files.clone()} act={act.clone()} />
            <Changes files={state.files.clone()} report={report.clone()} astray={state.astray.clone()}
                selected={state.selected.clone()} act={act.clone()} />
            <aside>
                <Checklist {report} selected={state.selected.clone()} rule={state.rule} act={act.clone()} />
                if let Some(rule) = state.rule {
                    <RuleCard {rule} act={act.clone()} />
                }
            </aside>
        </main>
    }
}

#[component]
fn Welcome() -> Html {
    html! {
        <div class="welcome">
            <p>
                { "Hunkwise reads a diff of Python code and goes through one checklist with you: concurrency, resources, \
                   artifacts and caches. Findings stand at their lines, each with what is wrong, why it breaks and what to do." }
            </p>
            <p class="promise">{ "Nothing leaves this browser." }</p>
        </div>
    }
}

/// What opens the dialog, and the dialog while it is open.
#[hook]
fn use_share(state: &State, worker: &WorkerHandle) -> (Callback<()>, Html) {
    let is_open = use_state_eq(|| false);
    let wants_excerpt = use_state_eq(|| false);
    let set_open = {
        let (is_open, wants_excerpt) = (is_open.setter(), wants_excerpt.setter());
        move |open: bool| {
            wants_excerpt.set(false);
            is_open.set(open);
        }
    };
    let share = use_callback((), {
        let set_open = set_open.clone();
        move |(), ()| set_open(true)
    });
    let close = use_callback((), move |(), ()| set_open(false));
    let choose_excerpt = {
        let (worker, id, wants_excerpt) = (worker.clone(), state.request, wants_excerpt.setter());
        Callback::from(move |wanted| {
            worker.post(&ToWorker::Excerpt { id });
            wants_excerpt.set(wanted);
        })
    };
    let excerpt = state.excerpt.clone().filter(|_| *wants_excerpt);
    let link = use_memo(
        (*is_open, state.request, state.selected.clone(), excerpt),
        |(is_open, _, _, excerpt)| {
            is_open
                .then(|| link::of(state, excerpt.as_ref()))
                .flatten()
                .map(|link| AttrValue::from(encode(&link)))
        },
    );
    let can_choose =
        state.tour().next().is_some() && state.input.origin != Origin::Link { excerpt: true };
    let dialog = html! {
        if let Some(fragment) = (*link).clone() {
            <ShareDialog {fragment} excerpt={can_choose.then_some(*wants_excerpt)} {choose_excerpt} {close} />
        }
    };
    (share, dialog)
}

/// The class tells the style sheet what a narrow screen shows, and whether there is a diff to show.
fn page_class(state: &State) -> Classes {
    let tab = match state.tab {
        Tab::Checklist => "shows-checklist",
        Tab::Changes => "shows-changes",
        Tab::Input => "shows-input",
    };
    classes!(
        "page",
        tab,
        state.files.is_empty().then_some("is-empty"),
        (state.phase == Phase::Empty).then_some("is-idle")
    )
}

fn tour(state: &State) -> (Option<usize>, usize) {
    let selected = state.selected.as_deref();
    let here = state.tour().position(|id| Some(id) == selected);
    (here.map(|here| here + 1), state.tour().count())
}

/// Files can be dropped anywhere on the page.
#[hook]
fn use_drop(act: Callback<Action>) -> (Callback<DragEvent>, Callback<DragEvent>) {
    let readers = use_mut_ref(Vec::new);
    let ondragover = use_callback((), |event: DragEvent, ()| event.prevent_default());
    let ondrop = use_callback(act, move |event: DragEvent, act| {
        event.prevent_default();
        let files = event.data_transfer().and_then(|data| data.files());
        if let Some(files) = files.filter(|files| files.length() > 0) {
            *readers.borrow_mut() = read_files(&FileList::from(files), act.reform(Action::from));
        }
    });
    (ondragover, ondrop)
}
